import Testing

@testable import EaselCore

import EaselFoundation
import EaselTesting
import TestSupport

@Suite("Disk cache: read-only folders and files")
struct DiskCacheReadOnlyTests {
    private static let key = CacheKey("https://images.test/a.png")

    /// Calls `body` with a cache and the fixtures of its two read-only folders.
    private func withFixture(
        _ body: (DiskCache, _ first: DiskCacheFixture, _ second: DiskCacheFixture) async throws -> Void
    )
        async throws
    {
        try await DiskCacheFixture.with { first in
            try await DiskCacheFixture.with { second in
                try await DiskCacheFixture.with {
                    $0.readOnlyFolders = [first.folder.path, second.folder.path]
                    $0.maximumAge = .seconds(1_000)
                } _: { fixture in
                    try await body(fixture.cache, first, second)
                }
            }
        }
    }

    @Test("read-only folders are searched in order, after the folder of the cache (S184)")
    func order() async throws {
        try await withFixture { cache, first, second in
            try await second.cache.store(Data([2]), for: Self.key)
            #expect(try await cache.data(for: Self.key) == Data([2]))
            #expect(await cache.path(for: Self.key) == second.folder[Self.key.fileName])
            try await first.cache.store(Data([1]), for: Self.key)
            #expect(try await cache.data(for: Self.key) == Data([1]))
            try await cache.store(Data([0]), for: Self.key)
            #expect(try await cache.data(for: Self.key) == Data([0]))
            #expect(await cache.contains(Self.key))
            try await cache.remove(Self.key)
            #expect(try await cache.data(for: Self.key) == Data([1]))
        }
    }

    @Test("read-only folders are also searched for the name without extension (S184)")
    func bareName() async throws {
        try await withFixture { cache, first, _ in
            try first.folder.write([9], to: Self.key.bareFileName)
            #expect(await cache.contains(Self.key))
            #expect(try await cache.data(for: Self.key) == Data([9]))
        }
    }

    @Test("metadata is read from read-only folders")
    func metadata() async throws {
        try await withFixture { cache, first, _ in
            try await first.cache.store(Data([1]), metadata: CacheMetadata(fields: ["ETag": "x"]), for: Self.key)
            #expect(try await cache.file(for: Self.key)?.metadata.fields == ["ETag": "x"])
        }
    }

    @Test("no read, trim or removal changes a read-only folder, even if entries are old or damaged")
    func unchanged() async throws {
        try await withFixture { cache, first, _ in
            let keys: [CacheKey] = ["old", "damaged"]
            for key in keys { try await first.store(key, length: 5, used: 9_000) }
            try first.damage("damaged") { try $0.flipBit(3) }
            let before = try keys.map { try first.facts($0) }
            let names = try first.folder.names()
            #expect(try await cache.data(for: "old")?.count == 5)
            #expect(try await cache.data(for: "damaged") == nil)
            _ = await cache.contains("old")
            try await cache.setMetadata(CacheMetadata(fields: ["a": "b"]), for: "old")
            try await cache.remove("old")
            await cache.trim()
            _ = await cache.verify()
            try await cache.removeAll()
            await cache.settle()
            let after = try keys.map { try first.facts($0) }
            #expect(try first.folder.names() == names)
            #expect(after.map(\.changed) == before.map(\.changed))
            #expect(after.map(\.number) == before.map(\.number))
            #expect(await cache.statistics().entries == 0)
        }
    }

    @Test("entries in read-only folders do not expire")
    func neverExpired() async throws {
        try await withFixture { cache, first, _ in
            try await first.store(Self.key, length: 5, used: 2_000_000)
            #expect(await cache.contains(Self.key))
            #expect(try await cache.data(for: Self.key) != nil)
        }
    }

    @Test("a missing read-only folder is skipped until it exists")
    func missing() async throws {
        try await TemporaryFolder.with { outer in
            var configuration = DiskCache.Configuration()
            configuration.readOnlyFolders = [outer["later"]]
            let cache = DiskCache(folder: outer["cache"], configuration: configuration)
            #expect(try await cache.data(for: Self.key) == nil)
            try await DiskCache(folder: outer["later"]).store(Data([1]), for: Self.key)
            #expect(try await cache.data(for: Self.key) == Data([1]))
            #expect(!outer.exists("cache"))
        }
    }

    @Test("the additional path is used last, after a miss in all folders, and its file is not changed (X078)")
    func additionalPath() async throws {
        try await TemporaryFolder.with { outer in
            let requestedKeys = Recorder<String>()
            var configuration = DiskCache.Configuration()
            configuration.readOnlyFolders = [outer["folder"]]
            configuration.additionalPath = { key in
                requestedKeys.record(key.text)
                return key == "none" ? nil : outer[key.text]
            }
            let cache = DiskCache(folder: outer["cache"], configuration: configuration)
            try outer.write([7, 8], to: "bundled")
            #expect(try await cache.data(for: "bundled") == Data([7, 8]))
            #expect(await cache.contains("bundled"))
            #expect(await cache.path(for: "bundled") == outer["bundled"])
            for key in ["none", "missing"] as [CacheKey] {
                #expect(try await cache.data(for: key) == nil)
                #expect(await !cache.contains(key))
            }
            try await cache.store(Data([1]), for: "bundled")
            let before = requestedKeys.events.count
            #expect(try await cache.data(for: "bundled") == Data([1]))
            #expect(requestedKeys.events.count == before)
            try await cache.removeAll()
            #expect(try outer.bytes(of: "bundled") == [7, 8])
        }
    }

    @Test("an additional path that cannot be read is an error, not a miss (B32)")
    func unreadableAdditionalPath() async throws {
        try await TemporaryFolder.with { outer in
            var configuration = DiskCache.Configuration()
            configuration.additionalPath = { _ in outer.path }
            let cache = DiskCache(folder: outer["cache"], configuration: configuration)
            let error = await #expect(throws: ImageError.self) { try await cache.data(for: "a") }
            #expect(error?.code == .unreadable)
        }
    }
}
