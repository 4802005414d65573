import EaselTesting
import Testing

import EaselCompatibility
@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Cache chain: every call ends (R028; X114 is not copied)", .timeLimit(.minutes(1)))
struct ImageCacheChainEndTests {
    private let log = Recorder<String>()
    private let key = CacheKey("a")
    private let broken = ImageError.unreadable(path: "/a", reason: "broken")

    @Test("every call on an empty chain ends, and finds and stores nothing (X114)")
    func empty() async throws {
        let chain = ImageCacheChain([])
        #expect(chain.image(for: key) == nil && chain.partialFolder == nil)
        #expect(try await chain.file(for: key) == nil)
        #expect(try await chain.metadata(for: key) == nil)
        #expect(await chain.decodedImage(for: key) == nil)
        #expect(await chain.contains(key, in: .all) == [])
        try await chain.store(Data(), metadata: CacheMetadata(), for: key)
        try await chain.setMetadata(CacheMetadata(), for: key)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        let original = try TestCoder().decode(TestCoder.file(), DecodeOptions())
        #expect(try await !chain.storeDecoded(CachedImage(image: original), for: key))
    }

    @Test("a cache that cannot be read hides no other; if no other has the file, its error is thrown")
    func brokenQuery() async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        await #expect(throws: broken) { try await ImageCacheChain([bad, good]).file(for: key) }
        good.content.put(Data([2]), for: key)
        #expect(try await ImageCacheChain([bad, good]).file(for: key)?.data == Data([2]))
    }

    @Test("a cache that cannot remove does not keep others from it, and its error is thrown")
    func brokenRemoval() async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        good.content.put(Data([2]), for: key)
        await #expect(throws: broken) { try await ImageCacheChain([bad, good]).remove(key, from: .all) }
        #expect(good.content.files[key] == nil)
    }

    @Test("cancelling a call reaches the cache that it waits for, and a query ends there")
    func cancel() async throws {
        let gate = Gate()
        let chain = ImageCacheChain([WatchedCache("one", log, gate: gate), WatchedCache("two", log, gate: gate)])
        let query = Task { [key] in await #expect(throws: ImageError.cancelled) { try await chain.file(for: key) } }
        await log.wait(for: 1)
        query.cancel()
        _ = await query.value
        #expect(log.events == ["file one", "cancelled one"])
        let clear = Task { await #expect(throws: ImageError.cancelled) { try await chain.removeAll(from: .all) } }
        await log.wait(for: 3)
        clear.cancel()
        _ = await clear.value
        #expect(log.events.suffix(4) == ["clear one", "cancelled one", "clear two", "cancelled two"])
    }

    @Test("a manager finds images in the lower cache and stores them in the higher one (X111)")
    func manager() async throws {
        let (high, low) = (ScriptedCache(), ScriptedCache())
        let loader = ScriptedLoader(file: TestCoder.file(value: 1))
        var configuration = ImageManager.Configuration()
        configuration.cache = ImageCacheChain([high, low])
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [TestCoder()])
        let manager = ImageManager(configuration: configuration)
        let cached = try ManagerFixture.request("http://example.com/kept.test")
        low.put(TestCoder.file(value: 7), for: cached.originalKey)
        #expect(try await manager.image(for: cached).pixels[0, 0].blue == 7)
        let new = try ManagerFixture.request()
        #expect(try await manager.image(for: new).pixels[0, 0].blue == 1)
        #expect(Set(high.files.keys) == [new.originalKey] && high.imageKeys == [cached.key, new.key])
        #expect(low.imageKeys.isEmpty && loader.requests.count == 1)
    }
}
