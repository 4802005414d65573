import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: damaged entries")
struct DiskCacheDamageTests {
    private static let data = Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    @Test("an entry with one flipped bit is a miss and is removed (B49, X110)", arguments: [0, 1, 3_999, 4_000, 7_999])
    func flipped(bit: Int) async throws {
        try await expectMissAfterDamage { try $0.flipBit(bit) }
    }

    @Test("a truncated file is a miss and is removed (B48)", arguments: [0, 1, 999])
    func truncated(length: Int) async throws {
        try await expectMissAfterDamage { try $0.setLength(length) }
    }

    @Test("a file with trailing zeros, as after a system crash, is a miss and is removed")
    func extended() async throws {
        try await expectMissAfterDamage { try $0.setLength(1_001) }
    }

    @Test("an entry stored over a damaged one is read")
    func storeAgain() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Self.data, for: "a")
            try fixture.damage("a") { try $0.flipBit(8) }
            try await fixture.cache.store(Self.data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == Self.data)
        }
    }

    @Test("a file of another program, without a record, is returned unchanged")
    func withoutRecord() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: CacheKey("a").fileName)
            #expect(try await fixture.cache.data(for: "a") == Data([1, 2, 3]))
        }
    }

    @Test("a record of another version is a miss, and is not removed (B39)", arguments: [0, 3, 255])
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

    @Test(
        "an entry with a flipped bit in its record is a miss and is removed (B49)", arguments: [8, 16, 100, 200, 239])
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

    @Test("verify counts all entries and removes damaged ones")
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

    /// Stores two entries, damages one, and expects that only this one is a miss and is removed.
    private func expectMissAfterDamage(_ change: (FileHandleWriter) throws -> Void) async throws {
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
