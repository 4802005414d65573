import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: metadata")
struct DiskCacheMetadataTests {
    private static let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private static let small = CacheMetadata(fields: ["ETag": "\"a\"", "Age": "0"], extended: Data([1, 2, 3]))
    private static let large = CacheMetadata(extended: Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 3) }))

    @Test("metadata is stored with the bytes, but not in the file (X082)", arguments: [CacheMetadata(), small])
    func roundTrip(metadata: CacheMetadata) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: metadata, for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields == metadata.fields)
            #expect(file.metadata.extended == metadata.extended)
            #expect(try Data(fixture.folder.bytes(of: CacheKey("a").fileName)) == Self.data)
        }
    }

    @Test("metadata has the creation date of the entry")
    func created() async throws {
        try await DiskCacheFixture.with { fixture in
            let before = Date()
            try await fixture.cache.store(Self.data, for: "a")
            let created = try #require(try await fixture.cache.file(for: "a")?.metadata.created)
            // Stored in milliseconds.
            #expect(created.timeIntervalSince(before) > -0.001)
            #expect(created.timeIntervalSinceNow < 0.001)
        }
    }

    @Test("a store replaces the metadata together with the bytes")
    func replacedTogether() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.small, for: "a")
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await fixture.cache.file(for: "a")?.metadata.fields.isEmpty == true)
            #expect(try await fixture.cache.file(for: "a")?.metadata.extended == nil)
        }
    }

    @Test("setMetadata keeps the bytes and their creation date, and sets the modification date (X099)")
    func replacedAlone() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            await fixture.cache.settle()
            try fixture.setAges("a", accessed: 5_000, modified: 6_000, created: 7_000)
            let before = try fixture.facts("a")
            try await fixture.cache.setMetadata(Self.small, for: "a")
            let after = try fixture.facts("a")
            #expect(after.number == before.number)
            #expect(after.accessed == before.accessed)
            #expect(after.modified > before.modified + 5_000)
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields == Self.small.fields)
            #expect(try #require(file.metadata.created).timeIntervalSinceNow < -6_990)
        }
    }

    @Test("setting empty metadata removes it (X099)")
    func removed() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.small, for: "a")
            try await fixture.cache.setMetadata(CacheMetadata(), for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields.isEmpty && file.metadata.extended == nil)
        }
    }

    @Test("metadata without an entry is not stored, and creates neither file nor folder")
    func withoutEntry() async throws {
        try await TemporaryFolder.with { folder in
            let cache = DiskCache(folder: folder["cache"])
            try await cache.setMetadata(Self.small, for: "a")
            #expect(try folder.names().isEmpty)
            try await cache.store(Self.data, for: "b")
            try await cache.setMetadata(Self.small, for: "a")
            #expect(await !cache.contains("a"))
        }
    }

    @Test("metadata is read by the next cache over the folder (B37)")
    func reopened() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.small, for: "a")
            #expect(try await fixture.another().file(for: "a")?.metadata.fields == Self.small.fields)
        }
    }

    @Test("a file of another program accepts metadata and keeps its bytes")
    func foreignFile() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: CacheKey("a").fileName)
            try await fixture.cache.setMetadata(Self.small, for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Data([1, 2, 3]))
            #expect(file.metadata.fields == Self.small.fields)
        }
    }

    // MARK: - Metadata too large for an attribute

    @Test("metadata of 300 KB follows the bytes in the file and is not part of the data")
    func largeRoundTrip() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.large, for: "a")
            #expect(try fixture.record("a")?.continuesInTrailer == true)
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.extended == Self.large.extended)
            #expect(try fixture.folder.bytes(of: CacheKey("a").fileName).prefix(1_000).elementsEqual(Self.data))
            #expect(await fixture.cache.statistics().bytes == (try fixture.facts("a").byteCount))
            #expect(await fixture.cache.verify().torn == 0)
        }
    }

    @Test("metadata grows to 300 KB and shrinks again without a trailer (B36)")
    func largeAndSmall() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.small, for: "a")
            let created = try fixture.record("a")?.created
            try await fixture.cache.setMetadata(Self.large, for: "a")
            #expect(try await fixture.cache.file(for: "a")?.metadata.extended == Self.large.extended)
            try await fixture.cache.setMetadata(Self.small, for: "a")
            #expect(try await fixture.cache.file(for: "a")?.metadata.fields == Self.small.fields)
            #expect(try fixture.folder.bytes(of: CacheKey("a").fileName) == Array(Self.data))
            #expect(try fixture.record("a")?.created == created)
            await fixture.cache.settle()
            #expect(fixture.cache.usage.bytes == 1_000)
        }
    }

    @Test(
        "an entry with a flipped bit in bytes, metadata or footer is a miss and is removed (B49)",
        arguments: [0, 7_999, 8_000, 8_300, 1_200_000, -1, -40, -90])
    func largeFlipped(bit: Int) async throws {
        try await largeDamaged { bytes in
            let bit = bit >= 0 ? bit : bytes.count * 8 + bit
            bytes[bit / 8] ^= 1 << (bit % 8)
        }
    }

    @Test(
        "a file cut off in its bytes, metadata or footer is a miss and is removed (B48)",
        arguments: [0, 999, 1_000, 1_001, 150_000, -1, -12])
    func largeTruncated(length: Int) async throws {
        try await largeDamaged { bytes in
            bytes = Array(length >= 0 ? bytes.prefix(length) : bytes.dropLast(-length))
        }
    }

    @Test("metadata that is written with the bytes does not replace an entry that is stored meanwhile")
    func storedMeanwhile() async throws {
        try await expectOutdated(leaving: Data([2])) { try await $0.store(Data([2]), for: "a") }
    }

    @Test("metadata that is written with the bytes does not restore an entry that is removed meanwhile")
    func removedMeanwhile() async throws {
        try await expectOutdated(leaving: nil) { try await $0.remove("a") }
    }

    @Test("metadata of more than a megabyte is an error, and the previous entry stays")
    func tooLarge() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.small, for: "a")
            let tooLong = CacheMetadata(extended: Data(count: DiskRecord.longestDetails))
            let error = await #expect(throws: ImageError.self) {
                try await fixture.cache.store(Data([1]), metadata: tooLong, for: "a")
            }
            #expect(error?.code == .unwritable)
            await #expect(throws: ImageError.self) { try await fixture.cache.setMetadata(tooLong, for: "a") }
            #expect(try await fixture.cache.file(for: "a")?.metadata.fields == Self.small.fields)
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("metadata that exceeds the limit only when encrypted is an error too")
    func tooLargeSealed() async throws {
        try await DiskCacheFixture.with {
            $0.encryption = Padding()
        } _: { fixture in
            // The number of fields takes four bytes, the tag of the extended data one.
            let longest = CacheMetadata(extended: Data(count: DiskRecord.longestDetails - 5 - Padding.length))
            try await fixture.cache.store(Self.data, metadata: longest, for: "a")
            #expect(try await fixture.cache.file(for: "a")?.metadata.extended == longest.extended)
            let tooLong = CacheMetadata(extended: Data(count: DiskRecord.longestDetails - 4 - Padding.length))
            await #expect(throws: ImageError.self) {
                try await fixture.cache.store(Self.data, metadata: tooLong, for: "a")
            }
            #expect(try await fixture.cache.file(for: "a")?.metadata.extended == longest.extended)
        }
    }

    /// Makes data longer, as encryption does.
    private struct Padding: DiskEncryption {
        static let length = 28
        func seal(_ bytes: Data, context: Data) throws(ImageError) -> Data { bytes + Data(count: Self.length) }
        func open(_ sealed: Data, context: Data) -> Data? { sealed.dropLast(Self.length) }
    }

    /// Changes an entry after its bytes are read for new metadata, and expects that they are not written.
    private func expectOutdated(leaving data: Data?, _ change: (DiskCache) async throws -> Void) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            let entries = try fixture.cache.open(creating: false)
            let (entry, sealed) = try #require(try entries.setMetadata(Self.large, for: "a"))
            try await change(fixture.cache)
            let attempt = try fixture.cache.write(sealed, as: entry.name, in: entries, replacing: entry.facts)
            #expect(attempt.result == .outdated)
            #expect(try await fixture.cache.data(for: "a") == data)
        }
    }

    private func largeDamaged(_ change: (inout [UInt8]) -> Void) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, metadata: Self.large, for: "a")
            let name = CacheKey("a").fileName
            var bytes = try fixture.folder.bytes(of: name)
            change(&bytes)
            try fixture.damage("a") { try $0.replace(bytes) }
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }
}
