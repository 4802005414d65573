import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk entries: what a file proves to be")
struct DiskEntriesTests {
    private static let payload = Data([5, 6, 7, 8])
    private static let record = DiskRecord(of: payload, created: Date(timeIntervalSince1970: 1))

    @Test("its bytes with their record beside them are sound, and other bytes are not (B49)")
    func beside() {
        let attribute = DiskEntries.Attribute.record(Self.record.bytes)
        #expect(DiskEntries.sound(Self.payload, attribute)?.payload == Self.payload)
        #expect(DiskEntries.sound(Self.payload + [0], attribute) == nil)
        #expect(DiskEntries.sound(Self.payload, .record([])) == nil)
    }

    @Test("where the record is behind the bytes, the one beside them has to agree with it")
    func pointer() {
        let file = Self.payload + Self.record.trailer
        #expect(DiskEntries.sound(file, .record(Self.record.pointer.bytes))?.payload == Self.payload)
        let other = DiskRecord(of: Data([5, 6, 7, 9]), created: Date(timeIntervalSince1970: 1))
        #expect(DiskEntries.sound(file, .record(other.pointer.bytes)) == nil)
        #expect(DiskEntries.sound(Self.payload, .record(Self.record.pointer.bytes)) == nil)
        var torn = file
        torn[1] ^= 1
        #expect(DiskEntries.sound(torn, .record(Self.record.pointer.bytes)) == nil)
    }

    @Test("bytes that end like a trailer are whole in a copy without their attribute too")
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

    @Test("without extended attributes the record behind the bytes tells, and a file without one is torn")
    func unsupported() {
        let file = Self.payload + Self.record.trailer
        #expect(DiskEntries.sound(file, .unsupported)?.record == Self.record)
        #expect(DiskEntries.sound(file, .unsupported)?.payload == Self.payload)
        #expect(DiskEntries.sound(Self.payload, .unsupported) == nil)
        var torn = file
        torn[1] ^= 1
        #expect(DiskEntries.sound(torn, .unsupported) == nil)
    }

    @Test("without a record, where there could be one, it is another program's, and is what it is")
    func foreign() throws {
        let sound = try #require(DiskEntries.sound(Self.payload, .none))
        #expect(sound.record == nil)
        #expect(sound.payload == Self.payload)
    }
}
