#if Server
import EaselCore
import Foundation
import Testing

@testable import EaselServerTiers

@Suite("Stored values")
struct StoredMetadataTests {
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private var value: SharedValue {
        SharedValue(
            bytes: Data((0..<300).map { UInt8(truncatingIfNeeded: $0) }),
            metadata: SharedValue.Metadata(
                contentType: "image/webp", entityTag: "\"abc\"", sourceVersion: "W/\"é\"", created: start,
                expires: start + 60, fields: ["a": "1", "b": ""]))
    }

    @Test("a value is decoded as it was encoded")
    func roundTrip() throws {
        let encoded = try RedisValue.encode(value, keptUntil: start + 10)
        #expect(RedisValue.decode(encoded, now: start) == value)
    }

    @Test("metadata in fields is read as it was written, and fields of others are not metadata")
    func fields() throws {
        var value = value
        value.metadata.fields["long"] = String(repeating: "x", count: 1000)
        let metadata = StoredMetadata(value, keptUntil: start)
        let fields = try metadata.fields()
        #expect(StoredMetadata(fields: fields) == metadata)
        // The limits of OpenStack Swift and of S3.
        #expect(fields.fields.allSatisfy { $0.value.utf8.count <= 256 })
        #expect(fields.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } <= 2048)
        for changed: HTTPHeaders in [[:], ["x-amz-meta-easel-0": "!"], ["x-amz-meta-easel-0": "abcd"]] {
            #expect(StoredMetadata(fields: changed) == nil)
        }
    }

    @Test("a value without an expiry has none after decoding")
    func noExpiry() throws {
        var value = value
        value.metadata.expires = nil
        value.bytes = Data()
        #expect(RedisValue.decode(try RedisValue.encode(value, keptUntil: start + 10), now: start) == value)
    }

    @Test("a value is not returned after its lifetime")
    func expired() throws {
        let encoded = try RedisValue.encode(value, keptUntil: start + 10)
        #expect(RedisValue.decode(encoded, now: start + 9.9) != nil)
        #expect(RedisValue.decode(encoded, now: start + 10) == nil)
    }

    @Test("a value with a changed, missing or additional byte of its image is not returned")
    func damagedBytes() throws {
        let encoded = try RedisValue.encode(value, keptUntil: start + 10)
        for index in (encoded.count - 300)..<encoded.count {
            var changed = encoded
            changed[index] ^= 0x10
            #expect(RedisValue.decode(changed, now: start) == nil)
        }
        #expect(RedisValue.decode(encoded + [0], now: start) == nil)
    }

    @Test("every prefix of a value is refused without a crash")
    func truncated() throws {
        let encoded = try RedisValue.encode(value, keptUntil: start + 10)
        for count in 0..<encoded.count { #expect(RedisValue.decode(encoded.prefix(count), now: start) == nil) }
    }

    @Test("changed metadata is refused or decoded, without a crash")
    func damagedMetadata() throws {
        let encoded = try RedisValue.encode(value, keptUntil: start + 10)
        for index in 0..<(encoded.count - 300) {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = encoded
                changed[index] ^= change
                _ = RedisValue.decode(changed, now: start)
            }
        }
    }

    @Test("metadata that S3 would not accept is refused")
    func tooLarge() {
        var value = value
        value.metadata.fields["long"] = String(repeating: "x", count: 1400)
        #expect(throws: TierError.self) { try RedisValue.encode(value, keptUntil: start) }
    }

    @Test("keys are digests of their identity")
    func keys() {
        #expect(
            SharedKey("abc").digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SharedKey("a") != SharedKey("b"))
    }

    @Test("dates far outside of the calendar do not trap")
    func farDates() throws {
        var value = value
        value.metadata.created = .distantPast
        value.metadata.expires = Date(timeIntervalSince1970: .infinity)
        _ = RedisValue.decode(try RedisValue.encode(value, keptUntil: .distantFuture), now: start)
    }
}
#endif
