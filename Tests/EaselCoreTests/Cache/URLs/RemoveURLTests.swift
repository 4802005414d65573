import EaselTesting
import Testing

@testable import EaselCore

import EaselCompatibility
import EaselFoundation
import TestSupport

@Suite("Image cache: removal by URL")
struct RemoveURLTests {
    private typealias Fixture = CachedURLFixture

    /// Fills a cache with the original, another user's original, a decoded and an encoded thumbnail, and a partial
    /// download.
    private func fill(_ fixture: Fixture) async throws {
        try await fixture.load()
        try await fixture.load { $0.http.headers["Authorization"] = "Bearer t" }
        try await fixture.load { $0.targetSize = .pixels(width: 4, height: 3) }
        let small = Fixture.request { $0.targetSize = .pixels(width: 2, height: 2) }
        try await fixture.cache.store(TestCoder.file(), for: small.key)
        let response = StoredResponse(
            status: 200, headers: [:], url: Fixture.url.absoluteString, request: [:], requested: Date(),
            received: Date())
        let partial = PartialDownload(response: response, total: 10, body: Data([1, 2, 3]))
        let folder = PartialFolder(path: try #require(fixture.cache.partialFolder))
        _ = await folder.begin(partial, for: Fixture.request().originalKey)
    }

    @Test("removeAll(of:) removes originals, all sizes, decoded images, memory and the partial download")
    func removesAll() async throws {
        try await Fixture.with { fixture in
            try await fill(fixture)
            let files = try fixture.files()
            // Two originals, one decoded and one encoded thumbnail, one partial download.
            #expect(files.count == 5, "\(files)")
            try await fixture.cache.removeAll(of: Fixture.url)
            #expect(try fixture.files() == [])
            #expect(await fixture.manager.contains(Fixture.request()) == [])
            #expect(fixture.cache.memory.count == 0)
        }
    }

    @Test("removeAll(of:) leaves other URLs, also those that begin with the URL")
    func leavesOthers() async throws {
        try await Fixture.with { fixture in
            let longer = try #require(URL(string: "http://example.com/a.test?size=2"))
            for url in [Fixture.url, Fixture.other, longer] { try await fixture.load(url) }
            try await fixture.cache.removeAll(of: Fixture.url)
            #expect(await fixture.manager.contains(Fixture.request()) == [])
            #expect(await fixture.manager.contains(Fixture.request(Fixture.other)) == .all)
            #expect(await fixture.manager.contains(Fixture.request(longer)) == .all)
        }
    }

    @Test("a URL that another process has cached is removed")
    func anotherProcess() async throws {
        try await Fixture.with { fixture in
            try await fill(fixture)
            try await fixture.another().removeAll(of: Fixture.url)
            #expect(try fixture.files() == [])
        }
    }

    @Test("the key of any variant removes everything cached for its URL, also with a custom key")
    func ownKey() async throws {
        try await Fixture.with { fixture in
            func mine(_ request: inout ImageRequest) { request.cache.key = "cover" }
            try await fixture.load(Fixture.url, mine)
            let small = Fixture.request {
                mine(&$0)
                $0.targetSize = .pixels(width: 2, height: 2)
            }
            _ = try await fixture.manager.image(for: small)
            try await fixture.cache.removeAll(of: fixture.manager.cacheKey(for: small))
            #expect(await fixture.manager.contains(small) == [])
            #expect(await fixture.manager.contains(Fixture.request(Fixture.url, mine)) == [])
        }
    }

    @Test("a decoded image that waits to be stored is removed too")
    func waiting() async throws {
        try await Fixture.with { fixture in
            let request = ImageRequest(Fixture.url) { $0.targetSize = .pixels(width: 4, height: 3) }
            let image = try await fixture.manager.image(for: request)
            try await fixture.cache.removeAll(of: Fixture.url)
            await fixture.cache.settle()
            #expect(await fixture.cache.decodedImage(for: request.key) == nil)
            withExtendedLifetime(image) {}
        }
    }

    @Test("an evicted image that is still held is not found after the removal")
    func removeEvictedImage() async throws {
        try await Fixture.with { fixture in
            let image = try await fixture.manager.image(for: Fixture.request())
            fixture.cache.memory.trim(toCount: 0)
            try await fixture.cache.removeAll(of: Fixture.url)
            #expect(fixture.cache.image(for: Fixture.request().key) == nil)
            withExtendedLifetime(image) {}
        }
    }

    @Test("the file of a variant is named after its URL, in a folder of the first digits; trims and counts find it")
    func names() async throws {
        try await Fixture.with { fixture in
            let key = Fixture.request { $0.targetSize = .pixels(width: 2, height: 2) }.key
            let url = Fixture.request().key.digest.text
            #expect(key.fileName == "\(url.prefix(2))/\(url)-\(key.digest.text.prefix(16)).test")
            try await fixture.cache.store(Data([1, 2]), for: key)
            #expect(await fixture.cache.statistics().disk.entries == 1)
            #expect(try await fixture.cache.data(for: key) == Data([1, 2]))
            try await fixture.cache.removeAll()
            #expect(try fixture.folder.names() == [])
        }
    }

    @Test("a chain removes a URL from all of its caches")
    func chain() async throws {
        try await Fixture.with { fixture in
            let second = ImageCache(folder: nil as String?)
            try await fixture.load()
            second.store(try TestImage.gradient(2, 2).image(), for: Fixture.request().key)
            try await ImageCacheChain([fixture.cache, second]).removeAll(of: Fixture.url)
            #expect(await fixture.manager.contains(Fixture.request()) == [])
            #expect(second.memory.count == 0)
        }
    }

    @Test("a cache of another kind removes the original")
    func otherKind() async throws {
        let cache = ScriptedCache()
        let key = Fixture.request().originalKey
        cache.put(Data([1]), for: key)
        try await cache.removeAll(of: Fixture.url)
        #expect(cache.files.isEmpty)
    }
}
