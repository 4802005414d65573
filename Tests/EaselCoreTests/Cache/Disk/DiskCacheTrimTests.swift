import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: trimming")
struct DiskCacheTrimTests {
    private let keys = (0..<10).map { CacheKey("\($0)") }

    @Test("a cache exactly at its limit is not trimmed (B33)")
    func atLimit() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            for key in keys { try await fixture.store(key, length: 100, used: 10) }
            await fixture.cache.trim()
            #expect(await fixture.cache.statistics() == .init(entries: 10, bytes: 1_000))
        }
    }

    @Test("a store over the limit evicts the least recently used until less than half is left (S134, X105)")
    func overLimit() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            // The order of use differs from that of the stores.
            for (number, key) in keys.enumerated() {
                try await fixture.store(key, length: 100, used: Double(10_000 + (number * 3) % 10 * 1_000))
            }
            try await fixture.cache.store(Data(repeating: 1, count: 100), for: "new")
            // 0, 7 and 4 were used 10,000, 11,000 and 12,000 seconds ago.
            #expect(await fixture.present(keys) == ["0", "4", "7"])
            #expect(await fixture.present(["new"]) == ["new"])
            #expect(await fixture.cache.statistics().bytes == 400)
        }
    }

    @Test("the order of use is kept for the next cache (B34)")
    func nextSession() async throws {
        try await DiskCacheFixture.with { fixture in
            for (number, key) in keys.enumerated() {
                try await fixture.store(key, length: 100, used: Double(100_000 - number * 1_000))
            }
            let next = DiskCache(folder: fixture.folder.path, configuration: .init(maximumBytes: 900))
            await next.trim()
            #expect(await fixture.present(keys) == ["6", "7", "8", "9"])
        }
    }

    @Test("a limit of zero or less is no limit", arguments: [0, -1])
    func unlimited(limit: Int) async throws {
        try await DiskCacheFixture.with(maximumBytes: limit) { fixture in
            for key in keys { try await fixture.store(key, length: 100, used: 10) }
            await fixture.cache.trim()
            #expect(await fixture.cache.statistics().entries == 10)
        }
    }

    @Test("an entry larger than the cache is removed without the others (B35)")
    func largerThanCache() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            for key in keys { try await fixture.store(key, length: 50, used: 10) }
            try await fixture.cache.store(Data(repeating: 1, count: 1_001), for: "huge")
            #expect(await !fixture.cache.contains("huge"))
            #expect(await fixture.cache.statistics() == .init(entries: 10, bytes: 500))
        }
    }

    @Test("a replacement that exceeds the limit trims too (B35)")
    func onUpdate() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            for key in keys { try await fixture.store(key, length: 90, used: 100) }
            try await fixture.cache.store(Data(repeating: 1, count: 400), for: keys[0])
            #expect(await fixture.cache.statistics().bytes <= 500)
            #expect(await fixture.cache.contains(keys[0]))
        }
    }

    @Test("replacements and removals keep the size exact, so that entries within the limit stay")
    func exactSize() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            for _ in 0..<20 { try await fixture.store("a", length: 400, used: 10) }
            for _ in 0..<20 {
                try await fixture.store("b", length: 400, used: 10)
                try await fixture.cache.remove("b")
            }
            try await fixture.store("c", length: 600, used: 10)
            #expect(await fixture.present(["a", "c"]) == ["a", "c"])
        }
    }

    @Test("an entry unused for the maximum age is removed, to the second (S132, S133)")
    func age() async throws {
        try await DiskCacheFixture.with(maximumAge: .seconds(1_000)) { fixture in
            try await fixture.store("old", length: 1, used: 1_001)
            try await fixture.store("young", length: 1, used: 900)
            try await fixture.store("future", length: 1, used: -5_000)
            await fixture.cache.trim()
            #expect(await fixture.present(["old", "young", "future"]) == ["young", "future"])
        }
    }

    @Test("with a negative maximum age no entry expires (X071)")
    func negativeAge() async throws {
        try await DiskCacheFixture.with(maximumAge: .forever) { fixture in
            try await fixture.store("old", length: 1, used: 1_700_000_000)
            await fixture.cache.trim()
            #expect(await fixture.cache.contains("old"))
        }
    }

    @Test("with a maximum age of zero a trim removes every entry (X071)")
    func zeroAge() async throws {
        try await DiskCacheFixture.with(maximumAge: .seconds(0)) { fixture in
            try await fixture.store("a", length: 1, used: 0)
            #expect(await fixture.cache.contains("a"))
            await fixture.cache.trim()
            #expect(await !fixture.cache.contains("a"))
        }
    }

    @Test("a trim removes expired entries before it compares the size with the limit (B52)")
    func ageBeforeSize() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000, maximumAge: .seconds(1_000)) { fixture in
            try await fixture.store("old", length: 500, used: 2_000)
            try await fixture.store("a", length: 400, used: 500)
            try await fixture.cache.store(Data(repeating: 1, count: 400), for: "b")
            #expect(await fixture.present(["old", "a", "b"]) == ["a", "b"])
        }
    }
}
