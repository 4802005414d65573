import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk entries: validation")
struct DiskEntriesTests {
    private static let payload = Data([5, 6, 7, 8])
    private static let record = DiskRecord(of: payload, created: Date(timeIntervalSince1970: 1))

    @Test("bytes that match the record in the attribute are sound, others are not (B49)")
    func beside() {
        let attribute = DiskEntries.Attribute.record(Self.record.bytes)
        #expect(DiskEntries.check(Self.payload, attribute)?.payload == Self.payload)
        #expect(DiskEntries.check(Self.payload + [0], attribute) == nil)
        #expect(DiskEntries.check(Self.payload, .record([])) == nil)
    }

    @Test("a record in the trailer must match the one in the attribute")
    func pointer() {
        let file = Self.payload + Self.record.trailer
        #expect(DiskEntries.check(file, .record(Self.record.pointer.bytes))?.payload == Self.payload)
        let other = DiskRecord(of: Data([5, 6, 7, 9]), created: Date(timeIntervalSince1970: 1))
        #expect(DiskEntries.check(file, .record(other.pointer.bytes)) == nil)
        #expect(DiskEntries.check(Self.payload, .record(Self.record.pointer.bytes)) == nil)
        var torn = file
        torn[1] ^= 1
        #expect(DiskEntries.check(torn, .record(Self.record.pointer.bytes)) == nil)
    }

    @Test("bytes that end like a trailer are read unchanged, also in a copy without its attribute")
    func likeTrailer() async throws {
        try await DiskCacheFixture.with { fixture in
            let data = Self.payload + Self.record.trailer
            try await fixture.cache.store(data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == data)
            let copy = Data(try fixture.folder.bytes(of: CacheKey("a").fileName))
            try fixture.folder.write(Array(copy), to: CacheKey("b").fileName)
            #expect(try await fixture.cache.data(for: "b") == data)
        }
    }

    @Test("without extended attributes the record in the trailer decides, and a file without one is damaged")
    func unsupported() {
        let file = Self.payload + Self.record.trailer
        #expect(DiskEntries.check(file, .unsupported)?.record == Self.record)
        #expect(DiskEntries.check(file, .unsupported)?.payload == Self.payload)
        #expect(DiskEntries.check(Self.payload, .unsupported) == nil)
        var torn = file
        torn[1] ^= 1
        #expect(DiskEntries.check(torn, .unsupported) == nil)
    }

    @Test("a file without an attribute, where attributes are supported, is foreign and read unchanged")
    func foreign() throws {
        let sound = try #require(DiskEntries.check(Self.payload, .missing))
        #expect(sound.record == nil)
        #expect(sound.payload == Self.payload)
    }
}
