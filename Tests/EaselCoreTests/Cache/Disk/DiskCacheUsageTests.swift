import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: its size at once")
struct DiskCacheUsageTests {
    private static func usage(_ entries: Int, _ bytes: Int) -> DiskCache.Usage {
        DiskCache.Usage(entries: entries, bytes: bytes, isComplete: true)
    }

    @Test("is nothing, and not known to be all, before the first count")
    func before() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data(count: 5), for: "a")
            await fixture.cache.settle()
            let next = fixture.another()
            #expect(next.usage == DiskCache.Usage(entries: 0, bytes: 0, isComplete: false))
            #expect(await next.statistics() == .init(entries: 1, bytes: 5))
            #expect(next.usage == Self.usage(1, 5))
        }
    }

    @Test("is exact after what the first store begins: what was there before is counted with it")
    func afterFirstStore() async throws {
        try await DiskCacheFixture.with { fixture in
            for number in 0..<20 { try await fixture.cache.store(Data(count: number), for: CacheKey("\(number)")) }
            let next = fixture.another()
            try await next.store(Data(count: 1_000), for: "new")
            await next.settle()
            #expect(next.usage == Self.usage(21, 1_190))
        }
    }

    @Test("follows stores, replacements, removals and trims without a count (X094)")
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

    @Test("counts neither files of others nor what marks the folder (X107)")
    func foreignFiles() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: "notes.txt")
            try fixture.folder.makeFolder(CacheKey("folder").fileName)
            try await fixture.cache.store(Data(count: 4), for: "a")
            await fixture.cache.settle()
            #expect(fixture.cache.usage == Self.usage(1, 4))
        }
    }

    @Test("what another cache did to the folder is known after the next count or trim (B50)")
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

    @Test("two caches that fill one folder pass its limit by no more than what is written between two counts (B50)")
    func driftUnderLimit() async throws {
        try await DiskCacheFixture.with(maximumBytes: 3_000_000) { fixture in
            let other = fixture.another()
            let observer = fixture.another()
            for number in 0..<60 {
                let cache = number % 2 == 0 ? fixture.cache : other
                try await cache.store(Data(count: 200_000), for: CacheKey("\(number)"))
                await cache.settle()
                // A megabyte, and an entry of each.
                #expect(await observer.statistics().bytes <= 3_000_000 + .megabytes(1) + 400_000)
            }
        }
    }

    @Test("what a damaged entry took is given back by the next count")
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

    @Test("entries that checks remove are no longer counted")
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
