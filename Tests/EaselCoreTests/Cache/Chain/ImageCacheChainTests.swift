import EaselTesting
import Testing

@testable import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache that writes down what it is asked, and answers when its gate is open.
private final class WatchedCache: ImageCaching {
    let name: String
    let log: Recorder<String>
    let content = ScriptedCache()
    private let gate: Gate?
    private let failure: ImageError?
    private let listens: Bool

    init(_ name: String, _ log: Recorder<String>, gate: Gate? = nil, failure: ImageError? = nil, listens: Bool = true) {
        self.name = name
        self.log = log
        self.gate = gate
        self.failure = failure
        self.listens = listens
    }

    var partialFolder: String? { "/partial/" + name }

    private func enter(_ call: String) async throws(ImageError) {
        log.record("\(call) \(name)")
        if let gate {
            if listens {
                do { try await gate.wait() } catch {
                    log.record("cancelled \(name)")
                    throw .cancelled
                }
            } else {
                await Task { try? await gate.wait() }.value
            }
        }
        if let failure { throw failure }
    }

    func image(for key: CacheKey) -> DecodedImage? {
        log.record("image \(name)")
        return content.image(for: key)
    }

    func store(_ image: DecodedImage, for key: CacheKey) { content.store(image, for: key) }
    func images(inFamily family: CacheKey) -> [DecodedImage] { content.image(for: family).map { [$0] } ?? [] }

    func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await enter("file")
        return try await content.file(for: key)
    }

    func metadata(for key: CacheKey) -> CacheMetadata? { content.metadata(for: key) }

    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await enter("store")
        try await content.store(data, metadata: metadata, for: key)
    }

    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await enter("setMetadata")
        try await content.setMetadata(metadata, for: key)
    }

    func storeDecoded(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool {
        try await enter("storeDecoded")
        return name != "none"
    }

    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        do throws(ImageError) { try await enter("contains") } catch { return .none }
        var found: CacheLevels = []
        if content.files[key] != nil { found.insert(.disk) }
        if content.image(for: key) != nil { found.insert(.memory) }
        return found.intersection(levels)
    }

    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try await enter("remove")
        try await content.remove(key, from: levels)
    }

    func removeAll(from levels: CacheLevels) async throws(ImageError) { try await enter("clear") }
}

@Suite("Cache chain: policies (X111 to X113)", .timeLimit(.minutes(1)))
struct ImageCacheChainTests {
    private let log = Recorder<String>()
    private let key = CacheKey("a")

    private func caches(_ names: [String] = ["high", "middle", "low"]) -> [WatchedCache] {
        names.map { WatchedCache($0, log) }
    }

    private func chain(_ caches: [WatchedCache], _ policy: ImageCacheChain.Policy) -> ImageCacheChain {
        ImageCacheChain(caches) {
            $0.query = policy
            $0.store = policy
            $0.remove = policy
            $0.contains = policy
            $0.clear = policy
        }
    }

    private static func picture(_ value: UInt8, width: UInt8 = 8) throws -> DecodedImage {
        try TestCoder().decode(TestCoder.file(width: width, value: value), DecodeOptions())
    }

    @Test("by default queries and contains go down, stores to the highest, remove and clear to all")
    func defaults() {
        let policies = ImageCacheChain([]).policies
        #expect(policies.query == .serial && policies.contains == .serial && policies.store == .highestOnly)
        #expect(policies.remove == .concurrent && policies.clear == .concurrent)
    }

    @Test("every call reaches those that its policy names", arguments: ImageCacheChain.Policy.allCases)
    func reach(policy: ImageCacheChain.Policy) async throws {
        let chain = chain(caches(), policy)
        _ = try await chain.file(for: key)
        try await chain.store(Data([1]), metadata: CacheMetadata(), for: CacheKey("b"))
        _ = await chain.contains(key, in: .all)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        _ = try await chain.storeDecoded(CachedPicture(image: try Self.picture(1)), for: key)
        let reached: [String] =
            switch policy {
            case .serial, .concurrent: ["high", "low", "middle"]
            case .highestOnly: ["high"]
            case .lowestOnly: ["low"]
            }
        let calls = ["file", "store", "contains", "remove", "clear", "storeDecoded"]
        for call in calls {
            let asked = log.events.filter { $0.hasPrefix(call + " ") }.map { String($0.dropFirst(call.count + 1)) }
            #expect(asked.sorted() == reached, "\(call)")
            if policy == .serial { #expect(asked == ["high", "middle", "low"], "\(call)") }
        }
    }

    @Test("each call has a policy of its own; contains does not follow that of clear (X114 is not copied)")
    func ownPolicies() async throws {
        let caches = caches()
        let chain = ImageCacheChain(caches) {
            $0.contains = .lowestOnly
            $0.clear = .highestOnly
        }
        caches[0].content.put(Data([1]), for: key)
        #expect(await chain.contains(key, in: .all) == .none)
        try await chain.removeAll(from: .all)
        #expect(log.events == ["contains low", "clear high"])
    }

    @Test("a serial query stops at the first hit (X112)")
    func serialQuery() async throws {
        let caches = caches()
        caches[1].content.put(Data([2]), for: key)
        caches[2].content.put(Data([3]), for: key)
        #expect(try await chain(caches, .serial).file(for: key)?.data == Data([2]))
        #expect(log.events == ["file high", "file middle"])
    }

    @Test("a concurrent query ends with the first hit, and waits for no slower one (X112)", arguments: [true, false])
    func concurrentQuery(listens: Bool) async throws {
        let gate = Gate()
        let slow = WatchedCache("slow", log, gate: gate, listens: listens)
        let quick = WatchedCache("quick", log)
        slow.content.put(Data([1]), for: key)
        quick.content.put(Data([2]), for: key)
        #expect(try await chain([slow, quick], .concurrent).file(for: key)?.data == Data([2]))
        if listens { await log.wait { $0.contains("cancelled slow") } }
        gate.open()
    }

    @Test("a concurrent query without a hit ends when all have missed (X112)")
    func concurrentMiss() async throws {
        #expect(try await chain(caches(), .concurrent).file(for: key) == nil)
        #expect(log.events.count == 3)
    }

    @Test("memory is asked from the highest down, and keeps where stores go")
    func memory() throws {
        let caches = caches()
        caches[2].content.store(try Self.picture(3), for: key)
        let chain = ImageCacheChain(caches)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 3)
        chain.store(try Self.picture(1), for: key)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 1)
        #expect(caches.map { $0.content.imageKeys.count } == [1, 0, 1])
        #expect(self.chain(caches, .lowestOnly).image(for: key)?.pixels[0, 0].blue == 3)
    }

    @Test("all sizes of a picture in all memories, the largest first (B15)")
    func families() throws {
        let caches = caches()
        caches[0].content.store(try Self.picture(1, width: 2), for: key)
        caches[2].content.store(try Self.picture(2, width: 9), for: key)
        #expect(ImageCacheChain(caches).images(inFamily: key).map(\.size.width) == [9, 2])
    }

    @Test("contains tells the levels of the first that has something, or of all together (X111)")
    func contains() async throws {
        let caches = caches()
        caches[1].content.put(Data([1]), for: key)
        caches[2].content.store(try Self.picture(1), for: key)
        #expect(await chain(caches, .serial).contains(key, in: .all) == .disk)
        #expect(await chain(caches, .concurrent).contains(key, in: .all) == .all)
        #expect(await chain(caches, .lowestOnly).contains(key, in: .disk) == .none)
    }

    @Test("what is kept beside a file is replaced where a query finds the file, and nowhere else")
    func metadata() async throws {
        let caches = caches()
        for cache in caches.dropFirst() { cache.content.put(Data([1]), for: key) }
        try await ImageCacheChain(caches).setMetadata(CacheMetadata(fields: ["a": "b"]), for: key)
        #expect(log.events == ["setMetadata middle"])
        #expect(try await ImageCacheChain(caches).metadata(for: key)?.fields == ["a": "b"])
    }

    @Test("a decoded picture counts as kept where all keep it, and downloads go on where stores go")
    func decoded() async throws {
        let picture = CachedPicture(image: try Self.picture(1))
        #expect(try await chain(caches(["a", "b"]), .concurrent).storeDecoded(picture, for: key))
        #expect(try await !chain(caches(["a", "none"]), .concurrent).storeDecoded(picture, for: key))
        #expect(chain(caches(), .highestOnly).partialFolder == "/partial/high")
        #expect(chain(caches(), .lowestOnly).partialFolder == "/partial/low")
    }
}

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

    @Test("an empty chain has nothing, keeps nothing, and says so", arguments: ImageCacheChain.Policy.allCases)
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
        #expect(await chain.decodedPicture(for: key) == nil)
        #expect(await chain.contains(key, in: .all) == .none)
        try await chain.store(Data(), metadata: CacheMetadata(), for: key)
        try await chain.setMetadata(CacheMetadata(), for: key)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        let picture = try TestCoder().decode(TestCoder.file(), DecodeOptions())
        #expect(try await !chain.storeDecoded(CachedPicture(image: picture), for: key))
    }

    @Test(
        "one that cannot be read hides no other; where no other has it, its error is told",
        arguments: [ImageCacheChain.Policy.serial, .concurrent])
    func brokenQuery(policy: ImageCacheChain.Policy) async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        await #expect(throws: broken) { try await chain([bad, good], policy).file(for: key) }
        good.content.put(Data([2]), for: key)
        #expect(try await chain([bad, good], policy).file(for: key)?.data == Data([2]))
    }

    @Test(
        "one that cannot be written keeps no other from it, and its error is told",
        arguments: [ImageCacheChain.Policy.serial, .concurrent])
    func brokenStore(policy: ImageCacheChain.Policy) async throws {
        let (bad, good) = (WatchedCache("bad", log, failure: broken), WatchedCache("good", log))
        await #expect(throws: broken) {
            try await chain([bad, good], policy).store(Data([1]), metadata: CacheMetadata(), for: key)
        }
        #expect(good.content.files[key] == Data([1]))
    }

    @Test(
        "cancelling a query ends it at once and reaches those that were asked",
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

    @Test("cancelling a concurrent query ends it although a cache does not listen")
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

    @Test("cancelling reaches the caches that store, remove and clear")
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

    @Test("a manager over a chain finds in the lower cache, and keeps in the higher one (X111)")
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
