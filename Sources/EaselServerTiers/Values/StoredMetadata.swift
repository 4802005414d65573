#if Server
import EaselCore
import EaselFoundation

/// The metadata of a value as a tier stores it, with a checksum of the bytes and the end of the value's lifetime.
///
/// Dates are in whole milliseconds. Every count is checked before it is used, because a store can contain anything.
struct StoredMetadata: Hashable {
    /// The largest number of encoded bytes: S3 allows 2 KB of metadata, and base64 needs four bytes for three.
    static let maximumCount = 1_400

    var metadata: SharedValue.Metadata
    /// When the value must no longer be used. Redis removes it by then, S3 does not.
    var keptUntil: Date
    var byteCount: Int
    var checksum: UInt32

    init(_ value: SharedValue, keptUntil: Date) {
        metadata = value.metadata
        self.keptUntil = keptUntil
        byteCount = value.bytes.count
        checksum = Self.checksum(of: value.bytes)
    }

    /// Returns the value with its bytes. Returns `nil` if they are not the stored bytes, or the lifetime is over.
    func value(of bytes: Data, now: Date) -> SharedValue? {
        guard bytes.count == byteCount, now < keptUntil, Self.checksum(of: bytes) == checksum else { return nil }
        return SharedValue(bytes: bytes, metadata: metadata)
    }

    private static func checksum(of bytes: Data) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum($0) } }
}

extension StoredMetadata {
    private static let signature = Array("ESV1".utf8)
    private static let maximumFieldCount = 64

    /// Returns the encoded form.
    ///
    /// - Throws: `TierError.tooLarge` if the texts are too long.
    func encode() throws(TierError) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.write(Self.signature)
        writer.write(Self.milliseconds(keptUntil))
        writer.write(Self.milliseconds(metadata.created))
        writer.write(metadata.expires.map(Self.milliseconds) ?? .max)
        writer.write(UInt64(byteCount))
        writer.write(checksum)
        let fields = metadata.fields.sorted { $0.key < $1.key }
        let texts =
            [metadata.contentType, metadata.entityTag, metadata.sourceVersion] + fields.flatMap { [$0.key, $0.value] }
        let count = texts.reduce(writer.bytes.count + 2) { $0 + $1.utf8.count + 2 }
        guard fields.count <= Self.maximumFieldCount, count <= Self.maximumCount else {
            throw TierError(.tooLarge, "The metadata has \(count) bytes; the limit is \(Self.maximumCount).")
        }
        writer.write(UInt16(fields.count))
        for text in texts {
            writer.write(UInt16(text.utf8.count))
            writer.write(text.utf8)
        }
        return writer.bytes
    }

    /// Decodes the encoded form. Returns `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumCount else { return nil }
        var reader = ByteReader(bytes)
        guard reader.read(Self.signature.count) == Self.signature, let keptUntil = reader.read(Int64.self),
            let created = reader.read(Int64.self), let expires = reader.read(Int64.self),
            let count = reader.read(UInt64.self), let byteCount = Int(exactly: count),
            let checksum = reader.read(UInt32.self), let fieldCount = reader.read(UInt16.self),
            fieldCount <= Self.maximumFieldCount
        else { return nil }
        var texts: [String] = []
        for _ in 0..<(3 + 2 * Int(fieldCount)) {
            guard let length = reader.read(UInt16.self), let text = reader.readText(Int(length)) else { return nil }
            texts.append(text)
        }
        guard reader.isAtEnd else { return nil }
        var fields: [String: String] = [:]
        for index in stride(from: 3, to: texts.count, by: 2) { fields[texts[index]] = texts[index + 1] }
        self.keptUntil = Self.date(keptUntil)
        self.byteCount = byteCount
        self.checksum = checksum
        metadata = SharedValue.Metadata(
            contentType: texts[0], entityTag: texts[1], sourceVersion: texts[2], created: Self.date(created),
            expires: expires == .max ? nil : Self.date(expires), fields: fields)
    }

    private static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        // A date far outside of the calendar would trap in the conversion. 2^53 ms are 285,000 years.
        return Int64(min(max(milliseconds, -9e15), 9e15))
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
#endif
