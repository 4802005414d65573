import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: storing and reading")
struct DiskCacheTests {
    @Test("an entry is readable directly after its store (B27, S108, S118, X083)", arguments: [0, 1, 100_000])
    func storeAndRead(length: Int) async throws {
        try await DiskCacheFixture.with { fixture in
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
            try await fixture.cache.store(data, for: "a")
            #expect(try await fixture.cache.data(for: "a") == data)
            #expect(await fixture.cache.contains("a"))
        }
    }

    @Test("a read of an unknown key is a miss (X085)")
    func miss() async throws {
        try await DiskCacheFixture.with { fixture in
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(await !fixture.cache.contains("a"))
            try await fixture.cache.remove("a")
        }
    }

    @Test("a store after a removal keeps the new entry (B27)")
    func removeAndStore() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            try await fixture.cache.remove("a")
            #expect(try await fixture.cache.data(for: "a") == nil)
            try await fixture.cache.store(Data([2]), for: "a")
            #expect(try await fixture.cache.data(for: "a") == Data([2]))
        }
    }

    @Test("a store after removeAll leaves only the new entry (B28, S135, X108)")
    func removeAll() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b", "c.png"] { try await fixture.cache.store(Data([1]), for: CacheKey(key)) }
            try await fixture.cache.removeAll()
            #expect(await fixture.cache.statistics() == DiskCache.Statistics(entries: 0, bytes: 0))
            try await fixture.cache.store(Data([2]), for: "d")
            #expect(await fixture.cache.statistics() == DiskCache.Statistics(entries: 1, bytes: 1))
        }
    }

    @Test("a smaller value replaces a larger one entirely, and the size follows (B36)")
    func smaller() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data(repeating: 1, count: 10_000), for: "a")
            try await fixture.cache.store(Data([2, 3]), for: "a")
            #expect(try await fixture.cache.data(for: "a") == Data([2, 3]))
            #expect(await fixture.cache.statistics() == DiskCache.Statistics(entries: 1, bytes: 2))
        }
    }

    @Test("a durable store keeps data and metadata of any size")
    func durable() async throws {
        try await DiskCacheFixture.with {
            $0.isDurable = true
        } _: { fixture in
            for length in [10, 100_000] {
                let metadata = CacheMetadata(extended: Data(count: length))
                try await fixture.cache.store(Data([1, 2]), metadata: metadata, for: "a")
                #expect(try await fixture.cache.file(for: "a")?.metadata.extended?.count == length)
                #expect(try await fixture.cache.data(for: "a") == Data([1, 2]))
            }
        }
    }

    @Test("the file of an entry has exactly the stored bytes, so that other programs can open it")
    func payload() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1, 2, 3]), for: "a.png")
            #expect(try fixture.folder.names() == [CacheKey("a.png").fileName])
            #expect(try fixture.folder.bytes(of: CacheKey("a.png").fileName) == [1, 2, 3])
        }
    }

    @Test("no file is created before the first store")
    func lazy() async throws {
        try await TemporaryFolder.with { folder in
            let cache = DiskCache(folder: folder["cache"])
            #expect(try await cache.data(for: "a") == nil)
            #expect(await cache.statistics().entries == 0)
            await cache.trim()
            try await cache.removeAll()
            #expect(try folder.names().isEmpty)
            try await cache.store(Data([1]), for: "a")
            #expect(try folder.names() == ["cache"])
        }
    }

    @Test("entries are read by the next cache over the same folder (B37)")
    func reopened() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1, 2]), for: "a")
            let next = DiskCache(folder: fixture.folder.path)
            #expect(try await next.data(for: "a") == Data([1, 2]))
            #expect(await next.statistics() == DiskCache.Statistics(entries: 1, bytes: 2))
        }
    }

    @Test("two caches over one folder share their entries (B50)")
    func shared() async throws {
        try await DiskCacheFixture.with { fixture in
            let other = DiskCache(folder: fixture.folder.path)
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await other.data(for: "a") == Data([1]))
            try await other.store(Data([2, 2]), for: "a")
            #expect(try await fixture.cache.data(for: "a") == Data([2, 2]))
            try await fixture.cache.remove("a")
            #expect(await !other.contains("a"))
        }
    }

    @Test("a read is a use; contains, statistics and verify are not (X102)")
    func uses() async throws {
        try await DiskCacheFixture.with { fixture in
            let name = CacheKey("a").fileName
            try await fixture.store("a", length: 5, used: 200_000)
            #expect(await fixture.cache.contains("a"))
            _ = await fixture.cache.statistics()
            _ = await fixture.cache.verify()
            #expect(try fixture.age(of: name) > 199_000)
            _ = try await fixture.cache.data(for: "a")
            #expect(try fixture.age(of: name) < 100)
        }
    }
}
