import Testing

@testable import EaselCore

import EaselFoundation

// Only on systems that report which pages are in memory.
@Suite("Disk cache: entries in the page cache", .enabled { await isResidenceReported() })
struct DiskCacheResidentTests {
    @Test("an entry is available synchronously after a store, equal to the asynchronous result")
    func hit() async throws {
        try await DiskCacheFixture.with { fixture in
            for length in [0, 1, 5_000, 256 << 10] {
                let metadata = CacheMetadata(fields: ["length": "\(length)"])
                try await fixture.cache.store(Data(repeating: 3, count: length), metadata: metadata, for: "a")
                let file = try #require(await resident("a", in: fixture.cache))
                #expect(file == (try await fixture.cache.file(for: "a")))
                #expect(file.data == Data(repeating: 3, count: length))
                #expect(file.metadata.fields == metadata.fields)
            }
        }
    }

    @Test("a key with an extension is also found under the name without it (S123)")
    func bareName() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try await fixture.cache.store(Data([1]), for: "other")
            try fixture.folder.write([9], to: key.bareFileName)
            // The name with extension must be known to be missing.
            _ = try await fixture.cache.data(for: key)
            #expect(await resident(key, in: fixture.cache)?.data == Data([9]))
        }
    }

    @Test("entries that are missing or too large for a synchronous copy are not returned")
    func misses() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data(count: DiskEntries.longestCachedRead + 1), for: "large")
            #expect(fixture.cache.residentFile(for: "missing") == nil)
            #expect(fixture.cache.residentFile(for: "large") == nil)
            #expect(try await fixture.cache.data(for: "large") != nil)
        }
    }

    @Test("no entry is returned, and no folder opened, before the first asynchronous call")
    func unopened() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            let next = fixture.another()
            #expect(next.residentFile(for: "a") == nil)
            #expect(try await next.data(for: "a") == Data([1]))
            #expect(await resident("a", in: next) != nil)
        }
    }

    @Test("a damaged or expired entry is not returned, and is removed by an asynchronous call")
    func damaged() async throws {
        try await DiskCacheFixture.with {
            $0.maximumAge = .seconds(1_000)
        } _: { fixture in
            for key in ["damaged", "expired"] as [CacheKey] { try await fixture.cache.store(Data(count: 9), for: key) }
            // The first count removes expired entries. Wait until it is done.
            await fixture.cache.settle()
            try fixture.damage("damaged") { try $0.flipBit(1) }
            try fixture.setAges("expired", accessed: 2_000)
            let names = try fixture.folder.names()
            #expect(fixture.cache.residentFile(for: "damaged") == nil)
            #expect(fixture.cache.residentFile(for: "expired") == nil)
            #expect(try fixture.folder.names() == names)
            #expect(try await fixture.cache.data(for: "damaged") == nil)
            #expect(try await fixture.cache.data(for: "expired") == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("a link, a folder or a pipe with the name of an entry is a miss without a wait", .timeLimit(.minutes(1)))
    func otherKinds() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            try fixture.folder.makeLink(CacheKey("link").fileName, to: fixture.folder[CacheKey("a").fileName])
            try fixture.folder.makeFolder(CacheKey("folder").fileName)
            try fixture.folder.makePipe(CacheKey("pipe").fileName)
            for key in ["link", "folder", "pipe"] as [CacheKey] {
                #expect(fixture.cache.residentFile(for: key) == nil)
                #expect(try await fixture.cache.data(for: key) == nil)
            }
        }
    }
}

/// Returns the resident entry directly after a lookup, because the state of the folder is known for only a second.
private func resident(_ key: CacheKey, in cache: DiskCache) async -> CachedFile? {
    for _ in 0..<20 {
        _ = await cache.path(for: key)
        if let file = cache.residentFile(for: key) { return file }
    }
    return nil
}

private func isResidenceReported() async -> Bool {
    let isFound = try? await TemporaryFolder.with { folder in
        let cache = DiskCache(folder: folder.path)
        try await cache.store(Data([1]), for: "a")
        return await resident("a", in: cache) != nil
    }
    return isFound == true
}
