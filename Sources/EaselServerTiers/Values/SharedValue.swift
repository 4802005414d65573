#if Server
public import EaselFoundation

/// An encoded image in a shared cache, with what an HTTP response needs.
public struct SharedValue: Sendable, Hashable {
    /// The encoded image.
    public var bytes: Data
    /// The description of the bytes.
    public var metadata: Metadata

    /// Creates a value.
    public init(bytes: Data, metadata: Metadata) {
        self.bytes = bytes
        self.metadata = metadata
    }

    /// The description of an encoded image. All texts together have at most 1,200 bytes.
    public struct Metadata: Sendable, Hashable {
        /// The content type.
        public var contentType: String
        /// The entity tag of the result.
        public var entityTag: String
        /// The version of the source, such as its entity tag.
        public var sourceVersion: String
        /// When the result was made.
        public var created: Date
        /// When the result becomes stale; `nil` for never.
        public var expires: Date?
        /// Further fields of the application.
        public var fields: [String: String]

        /// Creates a description.
        public init(
            contentType: String, entityTag: String = "", sourceVersion: String = "", created: Date = Date(),
            expires: Date? = nil, fields: [String: String] = [:]
        ) {
            self.contentType = contentType
            self.entityTag = entityTag
            self.sourceVersion = sourceVersion
            self.created = created
            self.expires = expires
            self.fields = fields
        }
    }
}
#endif
