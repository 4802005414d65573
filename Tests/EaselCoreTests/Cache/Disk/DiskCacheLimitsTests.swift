import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: limits")
struct DiskCacheLimitsTests {
    private let keys = (0..<8).map { CacheKey("\($0)") }

    @Test("one entry above the maximum count evicts the least recently used until less than half is left (S183)")
    func count() async throws {
        try await DiskCacheFixture.with {
            $0.maximumCount = 8
        } _: { fixture in
            for (number, key) in keys.enumerated() {
                try await fixture.store(key, length: 10, used: Double(10_000 - number * 1_000))
            }
            await fixture.cache.trim()
            #expect(await fixture.present(keys).count == 8)
            try await fixture.cache.store(Data([1]), for: "new")
            #expect(await fixture.present(keys + ["new"]) == ["6", "7", "new"])
            #expect(fixture.cache.usage.entries == 3)
        }
    }

    @Test("replacing an entry does not change the count")
    func countOfReplaced() async throws {
        try await DiskCacheFixture.with {
            $0.maximumCount = 8
        } _: { fixture in
            for key in keys + keys { try await fixture.cache.store(Data([1]), for: key) }
            #expect(await fixture.present(keys).count == 8)
        }
    }

    @Test("a trim keeps the configured share: at 0.8 it removes few entries")
    func trimsToShare() async throws {
        try await DiskCacheFixture.with {
            $0.maximumBytes = 1_000
            $0.keptShare = 0.8
        } _: { fixture in
            for (number, key) in keys.enumerated() {
                try await fixture.store(key, length: 125, used: Double(10_000 - number * 1_000))
            }
            try await fixture.cache.store(Data(count: 1), for: "new")
            // 1,001 bytes: without two entries the size is below 800.
            #expect(await fixture.present(keys) == ["2", "3", "4", "5", "6", "7"])
        }
    }

    @Test(
        "the oldest, least recently used or largest entries are evicted first, as configured (S134)",
        arguments: [
            (DiskCache.Eviction.oldest, ["1"]), (.leastRecentlyUsed, ["2"]), (.largest, ["0"]),
        ])
    func eviction(eviction: DiskCache.Eviction, kept: [String]) async throws {
        try await DiskCacheFixture.with {
            $0.maximumBytes = 1_000
            $0.eviction = eviction
            $0.expiration = .modification
        } _: { fixture in
            let lengths = [300, 310, 320]
            for (key, length) in zip(keys, lengths) { try await fixture.cache.store(Data(count: length), for: key) }
            try fixture.setAges("0", accessed: 300, modified: 300)
            try fixture.setAges("1", accessed: 200, modified: 100)
            try fixture.setAges("2", accessed: 100, modified: 200)
            // Another cache has the limit, so that the trim follows the change of ages.
            let smaller = fixture.another { $0.maximumBytes = 700 }
            await smaller.trim()
            #expect(await fixture.present(keys) == kept)
        }
    }

    @Test("a lowered limit removes expired entries first, then no more than needed (B52)")
    func lowered() async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
        } _: { fixture in
            try await fixture.store("0", length: 400, used: 2_000)
            try await fixture.store("1", length: 400, used: 900)
            try await fixture.store("2", length: 400, used: 500)
            await fixture.another { $0.maximumBytes = 900 }.trim()
            #expect(await fixture.present(keys) == ["1", "2"])
        }
    }

    @Test("a trim without entries has no effect (B33)")
    func nothing() async throws {
        try await DiskCacheFixture.with {
            $0.maximumBytes = 1
            $0.maximumCount = 1
        } _: { fixture in
            await fixture.cache.trim()
            let names = try fixture.folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("a store is an error and leaves no file if the cache may not use any free space")
    func noFreeBytes() async throws {
        try await DiskCacheFixture.with {
            $0.minimumFreeBytes = ByteCount(.max)
        } _: { fixture in
            let error = await #expect(throws: ImageError.self) { try await fixture.cache.store(Data([1]), for: "a") }
            #expect(error?.code == .unwritable)
            #expect(error.map { "\($0)".contains("bytes free for others") } == true)
            let names = try fixture.folder.names()
            #expect(names.isEmpty)
        }
    }

    @Test("if the removal of all entries would not free enough space, a store is an error and they stay")
    func unreachableFreeBytes() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in keys { try await fixture.cache.store(Data([1]), for: key) }
            let other = fixture.another { $0.minimumFreeBytes = ByteCount(.max) }
            await #expect(throws: ImageError.self) { try await other.store(Data([1]), for: "new") }
            #expect(await fixture.present(keys).count == 8)
        }
    }

    @Test("a store that would leave less than the minimum of free space evicts entries", .withSmallFileSystem)
    func minimumFreeBytes() async throws {
        try await DiskCacheFixture.with(on: .bytes(4 << 20)) {
            $0.minimumFreeBytes = ByteCount(3 << 20)
        } _: { fixture in
            let folder = try Folder(path: fixture.folder.path, creating: false)
            for number in 0..<30 {
                try await fixture.cache.store(Data(count: 200_000), for: CacheKey("\(number)"))
                let free = try #require(folder.freeBytes)
                #expect(free >= 3 << 20)
            }
            let entries = await fixture.cache.statistics().entries
            #expect((1...5).contains(entries))
            #expect(await fixture.cache.contains("29"))
        }
    }
}
