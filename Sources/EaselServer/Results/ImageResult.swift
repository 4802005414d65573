#if Server
import EaselCore
import Crypto
import EaselFoundation
import EaselServerTiers
import NIOCore

/// An encoded answer to an image URL, with what its response needs.
struct ImageResult: Sendable {
    /// Which caches may store it.
    enum Visibility: String, Sendable, Hashable {
        case everyone
        /// Only the client. Not kept on the server either.
        case client
        case nobody
    }

    /// How long a result may be used.
    struct Lifetime: Sendable, Hashable {
        var visibility = Visibility.everyone
        var freshUntil: Date
        /// The most seconds for which a browser may use it; `nil` for those until `freshUntil`.
        var browserSeconds: Int?
        /// The seconds after `freshUntil` for which it may be used while it is made again.
        var staleWhileRevalidate = 0
        /// Whether it does not change while it is fresh.
        var isImmutable = false

        /// Returns the lifetime in the responses to a URL that is valid until a second.
        func ending(at expires: Int) -> Lifetime {
            let end = Date(timeIntervalSince1970: Double(expires))
            var lifetime = self
            lifetime.freshUntil = min(freshUntil, end)
            let rest = end.timeIntervalSince(lifetime.freshUntil)
            lifetime.staleWhileRevalidate = Int(min(Double(staleWhileRevalidate), rest))
            return lifetime
        }
    }

    var body: ByteBuffer
    var mediaType: String
    /// A strong tag with quotes, by the bytes and the version of the source.
    let entityTag: String
    /// Identifies the content of the source.
    let sourceVersion: String
    var created: Date
    var lifetime: Lifetime

    init(body: ByteBuffer, mediaType: String, sourceVersion: String, created: Date, lifetime: Lifetime) {
        self.init(
            body: body, mediaType: mediaType, entityTag: Self.entityTag(of: body, sourceVersion),
            sourceVersion: sourceVersion, created: created, lifetime: lifetime)
    }

    init(
        body: ByteBuffer, mediaType: String, entityTag: String, sourceVersion: String, created: Date,
        lifetime: Lifetime
    ) {
        self.body = body
        self.mediaType = mediaType
        self.entityTag = entityTag
        self.sourceVersion = sourceVersion
        self.created = created
        self.lifetime = lifetime
    }

    /// How a result may be used at a time.
    enum Freshness: Sendable, Hashable {
        case fresh
        /// It may be used, and has to be made again meanwhile.
        case staleWhileRevalidate
        case stale
    }

    func freshness(at now: Date) -> Freshness {
        let lateness = now.timeIntervalSince(lifetime.freshUntil)
        if lateness < 0 { return .fresh }
        return lateness < Double(lifetime.staleWhileRevalidate) ? .staleWhileRevalidate : .stale
    }

    private static func entityTag(of body: ByteBuffer, _ version: String) -> String {
        var hash = SHA256()
        hash.update(data: Data(version.utf8))
        body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        return "\"\(hexadecimal(hash.finalize().prefix(16)))\""
    }
}

/// The form in which results are stored beside their bytes.
extension ImageResult {
    /// Texts for `init(body:fields:)`.
    var fields: [String: String] {
        var fields = [
            "result-type": mediaType, "result-tag": entityTag, "result-version": sourceVersion,
            "result-created": Self.text(created), "result-visibility": lifetime.visibility.rawValue,
            "result-fresh": Self.text(lifetime.freshUntil), "result-stale": "\(lifetime.staleWhileRevalidate)",
            "result-immutable": lifetime.isImmutable ? "1" : "0",
        ]
        fields["result-browser"] = lifetime.browserSeconds.map { "\($0)" }
        return fields
    }

    /// Reads `fields`; `nil` if they are incomplete or invalid.
    init?(body: ByteBuffer, fields: [String: String]) {
        guard let mediaType = fields["result-type"], mediaType.isFieldValue,
            let entityTag = fields["result-tag"], entityTag.isFieldValue, entityTag.hasPrefix("\""),
            let sourceVersion = fields["result-version"], let created = fields["result-created"].flatMap(Self.date),
            let visibility = fields["result-visibility"].flatMap({ Visibility(rawValue: $0) }),
            let freshUntil = fields["result-fresh"].flatMap(Self.date),
            let stale = fields["result-stale"].flatMap({ Int($0) }), stale >= 0
        else { return nil }
        let lifetime = Lifetime(
            visibility: visibility, freshUntil: freshUntil,
            browserSeconds: fields["result-browser"].flatMap { Int($0) }.map { max(0, $0) },
            staleWhileRevalidate: stale,
            isImmutable: fields["result-immutable"] == "1")
        self.init(
            body: body, mediaType: mediaType, entityTag: entityTag, sourceVersion: sourceVersion, created: created,
            lifetime: lifetime)
    }

    /// Reads a value of a shared tier; `nil` if its fields are incomplete or invalid.
    init?(_ value: SharedValue) {
        self.init(body: ByteBuffer(bytes: value.bytes), fields: value.metadata.fields)
    }

    /// The value for shared tiers.
    var sharedValue: SharedValue {
        SharedValue(
            bytes: Data(body.readableBytesView),
            metadata: SharedValue.Metadata(
                contentType: mediaType, entityTag: entityTag, sourceVersion: sourceVersion, created: created,
                expires: lifetime.freshUntil, fields: fields))
    }

    /// Milliseconds since 1970.
    private static func text(_ date: Date) -> String {
        String(Int64(min(max(date.timeIntervalSince1970 * 1000, -1e15), 1e15).rounded()))
    }

    private static func date(_ text: String) -> Date? {
        Int64(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }
}

extension String {
    /// Whether the text is visible ASCII and spaces, so that it can be the value of a header field.
    var isFieldValue: Bool { utf8.count <= 1024 && utf8.allSatisfy { (0x20...0x7E).contains($0) } }
}
#endif
