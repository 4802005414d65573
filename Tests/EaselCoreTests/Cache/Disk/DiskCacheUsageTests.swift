import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: synchronous usage")
struct DiskCacheUsageTests {
    private static func usage(_ entries: Int, _ bytes: Int) -> DiskCache.Statistics {
        DiskCache.Statistics(entries: entries, bytes: bytes, isComplete: true)
    }

    @Test("usage is zero and incomplete before the first count")
    func before() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data(count: 5), for: "a")
            await fixture.cache.settle()
            let next = fixture.another()
            #expect(next.usage == DiskCache.Statistics(entries: 0, bytes: 0, isComplete: false))
            #expect(await next.statistics() == .init(entries: 1, bytes: 5))
            #expect(next.usage == Self.usage(1, 5))
        }
    }

    @Test("usage is exact once the first store has settled, with earlier entries")
    func afterFirstStore() async throws {
        try await DiskCacheFixture.with { fixture in
            for number in 0..<20 { try await fixture.cache.store(Data(count: number), for: CacheKey("\(number)")) }
            let next = fixture.another()
            try await next.store(Data(count: 1_000), for: "new")
            await next.settle()
            #expect(next.usage == Self.usage(21, 1_190))
        }
    }

    @Test("usage follows stores, replacements, removals and trims without a count (X094)")
    func follows() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b", "c"] { try await fixture.cache.store(Data(count: 100), for: CacheKey(key)) }
            await fixture.cache.settle()
            try await fixture.cache.store(Data(count: 30), for: "a")
            #expect(fixture.cache.usage == Self.usage(3, 230))
            try await fixture.cache.remove("b")
            try await fixture.cache.remove("none")
            #expect(fixture.cache.usage == Self.usage(2, 130))
            try await fixture.cache.removeAll()
            #expect(fixture.cache.usage == Self.usage(0, 0))
        }
    }

    @Test("usage counts neither foreign files nor the cache tag (X107)")
    func foreignFiles() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: "notes.txt")
            try fixture.folder.makeFolder(CacheKey("folder").fileName)
            try await fixture.cache.store(Data(count: 4), for: "a")
            await fixture.cache.settle()
            #expect(fixture.cache.usage == Self.usage(1, 4))
        }
    }

    @Test("usage includes changes by another cache after the next count or trim (B50)")
    func drift() async throws {
        try await DiskCacheFixture.with { fixture in
            let other = fixture.another()
            try await fixture.cache.store(Data(count: 10), for: "a")
            await fixture.cache.settle()
            try await other.store(Data(count: 20), for: "b")
            await other.settle()
            try await fixture.cache.store(Data(count: 40), for: "c")
            try await other.remove("a")
            #expect(await fixture.cache.statistics() == .init(entries: 2, bytes: 60))
            #expect(fixture.cache.usage == Self.usage(2, 60))
            await other.trim()
            #expect(other.usage == Self.usage(2, 60))
        }
    }

    @Test("two caches over one folder exceed its limit by no more than they write between two counts (B50)")
    func driftUnderLimit() async throws {
        try await DiskCacheFixture.with(maximumBytes: 3_000_000) { fixture in
            let other = fixture.another()
            let observer = fixture.another()
            for number in 0..<60 {
                let cache = number % 2 == 0 ? fixture.cache : other
                try await cache.store(Data(count: 200_000), for: CacheKey("\(number)"))
                await cache.settle()
                // One megabyte, and one entry of each cache.
                #expect(await observer.statistics().bytes <= 3_000_000 + 1_000_000 + 400_000)
            }
        }
    }

    @Test("a damaged entry is no longer counted after the next count")
    func damaged() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b"] as [CacheKey] { try await fixture.cache.store(Data(count: 10), for: key) }
            await fixture.cache.settle()
            try fixture.damage("a") { try $0.flipBit(0) }
            #expect(try await fixture.cache.data(for: "a") == nil)
            await fixture.cache.trim()
            #expect(fixture.cache.usage == Self.usage(1, 10))
        }
    }

    @Test("entries that verify removes are no longer counted")
    func verified() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b"] as [CacheKey] { try await fixture.cache.store(Data(count: 10), for: key) }
            await fixture.cache.settle()
            try fixture.damage("a") { try $0.flipBit(0) }
            _ = await fixture.cache.verify()
            #expect(fixture.cache.usage == Self.usage(1, 10))
        }
    }
}
