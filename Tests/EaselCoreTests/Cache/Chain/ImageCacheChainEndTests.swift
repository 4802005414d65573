import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Cache chain: every call ends (R028; X114 is not copied)", .timeLimit(.minutes(1)))
struct ImageCacheChainEndTests {
    private let log = Recorder<String>()
    private let key = CacheKey("a")
    private let broken = ImageError.unreadable(path: "/a", reason: "broken")

    private func chain(_ caches: [WatchedCache], _ policy: ImageCacheChain.Policy) -> ImageCacheChain {
        ImageCacheChain(caches) {
            $0.query = policy
            $0.store = policy
        }
    }

    @Test("an empty chain has no entries and throws no error", arguments: ImageCacheChain.Policy.allCases)
    func empty(policy: ImageCacheChain.Policy) async throws {
        let chain = ImageCacheChain([]) {
            $0.query = policy
            $0.store = policy
            $0.remove = policy
            $0.contains = policy
            $0.clear = policy
        }
        #expect(chain.image(for: key) == nil && chain.partialFolder == nil)
        #expect(try await chain.file(for: key) == nil)
        #expect(try await chain.metadata(for: key) == nil)
        #expect(await chain.decodedImage(for: key) == nil)
        #expect(await chain.contains(key, in: .all) == .none)
        try await chain.store(Data(), metadata: CacheMetadata(), for: key)
        try await chain.setMetadata(CacheMetadata(), for: key)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        let original = try TestCoder().decode(TestCoder.file(), DecodeOptions())
        #expect(try await !chain.storeDecoded(CachedImage(image: original), for: key))
    }

    @Test(
        "a query passes over a cache that fails, and throws its error if no other cache has the entry",
        arguments: [ImageCacheChain.Policy.serial, .concurrent])
    func brokenQuery(policy: ImageCacheChain.Policy) async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        await #expect(throws: broken) { try await chain([bad, good], policy).file(for: key) }
        good.content.put(Data([2]), for: key)
        #expect(try await chain([bad, good], policy).file(for: key)?.data == Data([2]))
    }

    @Test(
        "a store passes over a cache that fails, and throws its error after storing in the others",
        arguments: [ImageCacheChain.Policy.serial, .concurrent])
    func brokenStore(policy: ImageCacheChain.Policy) async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        await #expect(throws: broken) {
            try await chain([bad, good], policy).store(Data([1]), metadata: CacheMetadata(), for: key)
        }
        #expect(good.content.files[key] == Data([1]))
    }

    @Test(
        "a cancelled query ends at once and cancels the queried caches",
        arguments: [ImageCacheChain.Policy.serial, .concurrent])
    func cancelQuery(policy: ImageCacheChain.Policy) async throws {
        let gate = Gate()
        let chain = chain([WatchedCache("one", log, gate: gate), WatchedCache("two", log, gate: gate)], policy)
        let asked = policy == .serial ? 1 : 2
        let query = Task { [key] in
            await ImageCacheChain.result { () throws(ImageError) in try await chain.file(for: key) }
        }
        await log.wait { $0.filter { $0.hasPrefix("file") }.count == asked }
        query.cancel()
        #expect(await query.value == .failure(.cancelled))
        await log.wait { $0.filter { $0.hasPrefix("cancelled") }.count == asked }
        #expect(log.events.filter { $0.hasPrefix("file") }.count == asked)
    }

    @Test("a cancelled concurrent query ends even if a cache ignores cancellation")
    func cancelDeaf() async throws {
        let gate = Gate()
        let chain = chain([WatchedCache("deaf", log, gate: gate, listens: false)], .concurrent)
        let query = Task { [key] in
            await ImageCacheChain.result { () throws(ImageError) in try await chain.file(for: key) }
        }
        await log.wait(for: 1)
        query.cancel()
        #expect(await query.value == .failure(.cancelled))
        gate.open()
    }

    @Test("cancelling removeAll cancels every cache")
    func cancelChange() async throws {
        let chain = ImageCacheChain([WatchedCache("one", log, gate: Gate()), WatchedCache("two", log, gate: Gate())])
        let clear = Task {
            await ImageCacheChain.result { () throws(ImageError) -> Bool in
                try await chain.removeAll(from: .all)
                return true
            }
        }
        await log.wait(for: 2)
        clear.cancel()
        #expect(await clear.value == .failure(.cancelled))
        #expect(log.events.filter { $0.hasPrefix("cancelled") }.count == 2)
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
        let kept = try ManagerFixture.request("http://example.com/kept.test")
        low.put(TestCoder.file(value: 7), for: kept.originalKey)
        #expect(try await manager.image(for: kept).pixels[0, 0].blue == 7)
        let new = try ManagerFixture.request()
        #expect(try await manager.image(for: new).pixels[0, 0].blue == 1)
        #expect(Set(high.files.keys) == [new.originalKey] && high.imageKeys == [kept.key, new.key])
        #expect(low.imageKeys.isEmpty && loader.requests.count == 1)
    }
}
