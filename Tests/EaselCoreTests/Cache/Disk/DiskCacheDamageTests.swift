import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: damaged entries")
struct DiskCacheDamageTests {
    private static let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    @Test("one flipped bit is a miss, and the entry goes (B49, X110)", arguments: [0, 1, 3_999, 4_000, 7_999])
    func flipped(bit: Int) async throws {
        try await damaged { try $0.flipBit(bit) }
    }

    @Test("a file that was cut off is a miss, and goes (B48)", arguments: [0, 1, 999])
    func truncated(length: Int) async throws {
        try await damaged { try $0.setLength(length) }
    }

    @Test("a file with zeros behind it, as a crash of the system leaves it, is a miss, and goes")
    func extended() async throws {
        try await damaged { try $0.setLength(1_001) }
    }

    @Test("what is stored after that is read")
    func storedAnew() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try fixture.damage("a") { try $0.flipBit(8) }
            try await fixture.cache.store(Self.data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("a file without a record is served as it is: another program put it there")
    func withoutRecord() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: CacheKey("a").fileName)
            #expect(try await fixture.cache.data(for: "a") == Data([1, 2, 3]))
        }
    }

    @Test("a record of another version is a miss, and is left to those who can judge it (B39)", arguments: [0, 3, 255])
    func otherVersion(version: UInt8) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            var record = try #require(try fixture.record("a")).bytes
            record[0] = version
            try fixture.setAttribute("a", record)
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(await fixture.cache.verify().torn == 0)
            #expect(try fixture.folder.names() == [CacheKey("a").fileName])
            try await fixture.cache.store(Self.data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("a flipped bit in the record is a miss, and the entry goes (B49)", arguments: [8, 16, 100, 200, 239])
    func flippedRecord(bit: Int) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            var record = try #require(try fixture.record("a")).bytes
            record[bit / 8] ^= 1 << (bit % 8)
            try fixture.setAttribute("a", record)
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("checking every entry counts, and removes the torn ones")
    func verify() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b", "c"] { try await fixture.cache.store(Self.data, for: CacheKey(key)) }
            #expect(await fixture.cache.verify() == .init(entries: 3, torn: 0, removed: 0, bytes: 3_000))
            try fixture.damage("a") { try $0.flipBit(100) }
            try fixture.damage("b") { try $0.setLength(10) }
            try fixture.folder.write([0], to: "foreign")
            #expect(await fixture.cache.verify() == .init(entries: 3, torn: 2, removed: 2, bytes: 1_000))
            #expect(await fixture.cache.verify() == .init(entries: 1, torn: 0, removed: 0, bytes: 1_000))
            #expect(await fixture.present(["a", "b", "c"]) == ["c"])
        }
    }

    /// Stores an entry, damages it, and expects that it is neither read nor left, and that its neighbour is both.
    private func damaged(_ change: (FileHandleWriter) throws -> Void) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try await fixture.cache.store(Self.data, for: "b")
            try fixture.damage("a", change)
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(await !fixture.cache.contains("a"))
            #expect(try fixture.folder.names() == [CacheKey("b").fileName])
            #expect(try await fixture.cache.data(for: "b") == Self.data)
        }
    }
}
