import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: a file system without extended attributes", .withSmallFileSystem)
struct DiskCacheWithoutAttributesTests {
    private static let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    private static let metadata = CacheMetadata(fields: ["ETag": "\"a\""], extended: Data(count: 5_000))

    private func withFixture(_ body: (DiskCacheFixture) async throws -> Void) async throws {
        try await DiskCacheFixture.with(on: .withoutAttributes, { _ in }, body)
    }

    @Test("entries are stored and read with their metadata")
    func roundTrip() async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try await fixture.cache.store(Self.data, metadata: Self.metadata, for: "b")
            try await fixture.cache.store(Data(), for: "c")
            #expect(try await fixture.cache.data(for: "a") == Self.data)
            let file = try #require(try await fixture.cache.file(for: "b"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields == Self.metadata.fields)
            #expect(file.metadata.extended == Self.metadata.extended)
            #expect(try await fixture.another().data(for: "c") == Data())
            #expect(await fixture.cache.verify().entries == 3)
            #expect(await fixture.cache.verify().torn == 0)
        }
    }

    @Test("the file starts with the stored bytes, which most other programs can open")
    func payload() async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            #expect(try fixture.folder.bytes(of: CacheKey("a").fileName).prefix(1_000).elementsEqual(Self.data))
        }
    }

    @Test("setMetadata keeps the bytes and their creation date")
    func replacedAlone() async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            let before = try #require(try await fixture.cache.file(for: "a"))
            try await fixture.cache.setMetadata(Self.metadata, for: "a")
            let file = try #require(try await fixture.cache.file(for: "a"))
            #expect(file.data == Self.data)
            #expect(file.metadata.fields == Self.metadata.fields)
            #expect(file.metadata.created == before.metadata.created)
        }
    }

    @Test(
        "an entry with a flipped bit in the bytes or the trailer is a miss and is removed (B49)",
        arguments: [0, 7_999, 8_000, -1])
    func flipped(bit: Int) async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            let count = try fixture.facts("a").byteCount * 8
            try fixture.damage("a") { try $0.flipBit(bit >= 0 ? bit : count + bit) }
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test(
        "a truncated file is a miss and is removed, also without its trailer (B48)",
        arguments: [0, 999, 1_000, 1_010])
    func truncated(length: Int) async throws {
        try await withFixture { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try fixture.damage("a") { try $0.setLength(length) }
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }
}
