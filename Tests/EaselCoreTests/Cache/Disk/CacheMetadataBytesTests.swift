import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Cache metadata: serialization")
struct CacheMetadataBytesTests {
    static let samples: [CacheMetadata] = [
        CacheMetadata(), CacheMetadata(fields: ["": ""]), CacheMetadata(fields: ["ETag": "\"a\"", "Age": "0"]),
        CacheMetadata(extended: Data()), CacheMetadata(extended: Data([0, 255])),
        CacheMetadata(fields: ["名前": "画像\0\n", "x": String(repeating: "y", count: 70_000)], extended: Data([1])),
    ]

    @Test("metadata is read as it was written", arguments: samples)
    func roundTrip(metadata: CacheMetadata) {
        #expect(CacheMetadata(metadata.bytes, created: nil) == metadata)
    }

    @Test("empty metadata takes no bytes")
    func empty() {
        #expect(CacheMetadata().bytes.isEmpty)
        #expect(CacheMetadata([], created: Date(timeIntervalSince1970: 5))?.created == Date(timeIntervalSince1970: 5))
    }

    @Test("equal metadata has equal bytes, whatever the order of the fields")
    func order() {
        let fields = (0..<40).map { ("name \($0)", "value \($0)") }
        let first = CacheMetadata(fields: Dictionary(uniqueKeysWithValues: fields))
        let second = CacheMetadata(fields: Dictionary(uniqueKeysWithValues: fields.reversed()))
        #expect(first.bytes == second.bytes)
    }

    @Test("bytes cut off before the extended data are rejected (B48)")
    func truncated() {
        let bytes = CacheMetadata(fields: ["a": "b", "c": "d"]).bytes
        for length in 1..<bytes.count { #expect(CacheMetadata(Array(bytes.prefix(length)), created: nil) == nil) }
        #expect(CacheMetadata(bytes + [0], created: nil) == nil)
    }

    @Test("lengths beyond the end are rejected", arguments: [UInt32(9), 0x7FFF_FFFF, .max])
    func hostileLengths(length: UInt32) {
        var count = ByteWriter()
        count.write(length)
        #expect(CacheMetadata(count.bytes, created: nil) == nil)
        var name = ByteWriter()
        name.write(UInt32(1))
        name.write(length)
        name.write([65, 66] as [UInt8])
        #expect(CacheMetadata(name.bytes, created: nil) == nil)
    }

    @Test("random bytes are rejected or read again unchanged, and never crash")
    func noise() {
        var random = SeededGenerator(seed: 27)
        let sound = CacheMetadata(fields: ["ETag": "x", "Age": "1"], extended: Data([1, 2])).bytes
        for round in 0..<4_000 {
            var bytes = sound
            if round % 2 == 0 {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            } else {
                // Mostly small numbers, so that some are valid lengths.
                bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                    UInt8.random(in: 0...(Bool.random(using: &random) ? 3 : 255), using: &random)
                }
            }
            guard let metadata = CacheMetadata(bytes, created: nil) else { continue }
            #expect(CacheMetadata(metadata.bytes, created: nil) == metadata)
        }
    }
}
