/// A file format of images, told by its full signature: never by a name, an extension or what a server says (B91, X148).
///
/// A value, not an enum, so that an application can add its own beside those below.
public struct ImageFormat: Sendable, Hashable {
    /// The short lower-case name that the command and the metadata use, such as `jpeg`.
    public let name: String
    /// The media type, such as `image/jpeg`.
    public let mediaType: String
    /// The usual file extension, without a dot.
    public let fileExtension: String
    /// Any one of these at the start of a file makes it this format.
    public let signatures: [Signature]
    /// Looks for what no fixed bytes tell: any of the signatures, or this, makes a file this format.
    private let recognizes: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

    /// A format of one's own.
    ///
    /// - Parameters:
    ///   - name: short and lower-case; two formats are equal when their names are.
    ///   - mediaType: `application/octet-stream` where there is none.
    ///   - fileExtension: the name, where it is not given.
    ///   - signatures: what its files begin with.
    ///   - recognizes: for a format that fixed bytes cannot tell: whether a file that begins with these bytes is one. It is
    ///     asked of every file, so that it should look at the first byte first, and never at more than a few thousand.
    public init(
        _ name: String, mediaType: String = "application/octet-stream", fileExtension: String? = nil,
        signatures: [Signature], recognizes: (@Sendable (UnsafeRawBufferPointer) -> Bool)? = nil
    ) {
        self.name = name
        self.mediaType = mediaType
        self.fileExtension = fileExtension ?? name
        self.signatures = signatures
        self.recognizes = recognizes
    }

    /// Two formats are the same when they have the same name.
    public static func == (first: ImageFormat, second: ImageFormat) -> Bool { first.name == second.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Whether a file that begins with `bytes` is of this format. A cut-off signature does not match.
    public func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        signatures.contains { $0.matches(bytes) } || recognizes?(bytes) == true
    }
}

extension ImageFormat {
    /// Bytes at fixed places that all have to be there.
    public struct Signature: Sendable, Hashable {
        /// A run of bytes at an offset from the start of the file.
        public struct Part: Sendable, Hashable {
            /// Where the run starts.
            public let offset: Int
            /// The run.
            public let bytes: [UInt8]

            /// A run of `bytes` that starts at `offset`.
            public init(offset: Int, bytes: [UInt8]) {
                self.offset = offset
                self.bytes = bytes
            }
        }

        /// The runs, all of which have to match.
        public let parts: [Part]

        /// A signature of several runs.
        public init(_ parts: [Part]) {
            self.parts = parts
        }

        /// A signature of one run.
        public static func bytes(_ bytes: [UInt8], at offset: Int = 0) -> Signature {
            Signature([Part(offset: offset, bytes: bytes)])
        }

        /// A signature of one run of ASCII characters.
        public static func text(_ text: String, at offset: Int = 0) -> Signature {
            .bytes(Array(text.utf8), at: offset)
        }

        /// Both signatures at once.
        public func and(_ other: Signature) -> Signature {
            Signature(parts + other.parts)
        }

        func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
            parts.allSatisfy { part in
                bytes.count >= part.offset + part.bytes.count
                    && bytes[part.offset..<(part.offset + part.bytes.count)].elementsEqual(part.bytes)
            }
        }
    }
}
