import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

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

    private static func image(_ value: UInt8, width: UInt8 = 8) throws -> DecodedImage {
        try TestCoder().decode(TestCoder.file(width: width, value: value), DecodeOptions())
    }

    @Test("by default queries and contains are serial, stores go to the highest cache, remove and clear to all")
    func defaults() {
        let policies = ImageCacheChain([]).policies
        #expect(policies.query == .serial && policies.contains == .serial && policies.store == .highestOnly)
        #expect(policies.remove == .concurrent && policies.clear == .concurrent)
    }

    @Test("every call reaches the caches of its policy", arguments: ImageCacheChain.Policy.allCases)
    func reach(policy: ImageCacheChain.Policy) async throws {
        let chain = chain(caches(), policy)
        _ = try await chain.file(for: key)
        try await chain.store(Data([1]), metadata: CacheMetadata(), for: CacheKey("b"))
        _ = await chain.contains(key, in: .all)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        _ = try await chain.storeDecoded(CachedImage(image: try Self.image(1)), for: key)
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

    @Test("each call has a separate policy; contains does not follow that of clear (X114 is not copied)")
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

    @Test("a concurrent query ends with the first hit, before slower caches (X112)", arguments: [true, false])
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

    @Test("memory is queried from the highest cache down, and images are stored according to the store policy")
    func memory() throws {
        let caches = caches()
        caches[2].content.store(try Self.image(3), for: key)
        let chain = ImageCacheChain(caches)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 3)
        chain.store(try Self.image(1), for: key)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 1)
        #expect(caches.map { $0.content.imageKeys.count } == [1, 0, 1])
        #expect(self.chain(caches, .lowestOnly).image(for: key)?.pixels[0, 0].blue == 3)
    }

    @Test("images of all sizes come from all memories, largest first (B15)")
    func families() throws {
        let caches = caches()
        caches[0].content.store(try Self.image(1, width: 2), for: key)
        caches[2].content.store(try Self.image(2, width: 9), for: key)
        #expect(ImageCacheChain(caches).images(inFamily: key).map(\.size.width) == [9, 2])
    }

    @Test("contains returns the levels of the first cache with a hit, or of all caches combined (X111)")
    func contains() async throws {
        let caches = caches()
        caches[1].content.put(Data([1]), for: key)
        caches[2].content.store(try Self.image(1), for: key)
        #expect(await chain(caches, .serial).contains(key, in: .all) == .disk)
        #expect(await chain(caches, .concurrent).contains(key, in: .all) == .all)
        #expect(await chain(caches, .lowestOnly).contains(key, in: .disk) == .none)
    }

    @Test("metadata is replaced only in the cache where a query finds the file")
    func metadata() async throws {
        let caches = caches()
        for cache in caches.dropFirst() { cache.content.put(Data([1]), for: key) }
        try await ImageCacheChain(caches).setMetadata(CacheMetadata(fields: ["a": "b"]), for: key)
        #expect(log.events == ["setMetadata middle"])
        #expect(try await ImageCacheChain(caches).metadata(for: key)?.fields == ["a": "b"])
    }

    @Test("a decoded image is stored only if every cache stores it, and partial downloads follow the store policy")
    func decoded() async throws {
        let original = CachedImage(image: try Self.image(1))
        #expect(try await chain(caches(["a", "b"]), .concurrent).storeDecoded(original, for: key))
        #expect(try await !chain(caches(["a", "none"]), .concurrent).storeDecoded(original, for: key))
        #expect(chain(caches(), .highestOnly).partialFolder == "/partial/high")
        #expect(chain(caches(), .lowestOnly).partialFolder == "/partial/low")
    }
}
