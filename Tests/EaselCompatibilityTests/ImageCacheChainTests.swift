import EaselTesting
import Testing

import EaselCompatibility
@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Cache chain: the caches that a call reaches (X111 to X113)", .timeLimit(.minutes(1)))
struct ImageCacheChainTests {
    private let log = Recorder<String>()
    private let key = CacheKey("a")

    private func caches(_ names: [String] = ["high", "middle", "low"]) -> [WatchedCache] {
        names.map { WatchedCache($0, log) }
    }

    private static func image(_ value: UInt8, width: UInt8 = 8) throws -> DecodedImage {
        try TestCoder().decode(TestCoder.file(width: width, value: value), DecodeOptions())
    }

    @Test("queries go down, stores reach the highest, removals all (X111)")
    func reach() async throws {
        let chain = ImageCacheChain(caches())
        _ = try await chain.file(for: key)
        try await chain.store(Data([1]), metadata: CacheMetadata(), for: CacheKey("b"))
        _ = await chain.contains(key, in: .all)
        try await chain.remove(key, from: .all)
        try await chain.removeAll(from: .all)
        #expect(try await chain.storeDecoded(CachedImage(image: try Self.image(1)), for: key))
        let all = ["high", "middle", "low"]
        let reached = [
            "file": all, "store": ["high"], "contains": all, "remove": all, "clear": all, "storeDecoded": ["high"],
        ]
        for (call, names) in reached {
            #expect(log.events.filter { $0.hasPrefix(call + " ") } == names.map { call + " " + $0 })
        }
        #expect(chain.partialFolder == "/partial/high")
    }

    @Test("a query stops at the first hit (X112)")
    func firstHit() async throws {
        let caches = caches()
        caches[1].content.put(Data([2]), for: key)
        caches[2].content.put(Data([3]), for: key)
        #expect(try await ImageCacheChain(caches).file(for: key)?.data == Data([2]))
        #expect(log.events == ["file high", "file middle"])
    }

    @Test("memory is queried from the highest down, and the highest stores")
    func memory() throws {
        let caches = caches()
        caches[2].content.store(try Self.image(3), for: key)
        let chain = ImageCacheChain(caches)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 3)
        chain.store(try Self.image(1), for: key)
        #expect(chain.image(for: key)?.pixels[0, 0].blue == 1)
        #expect(caches.map { $0.content.imageKeys.count } == [1, 0, 1])
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
        #expect(await ImageCacheChain(caches).contains(key, in: .all) == .disk)
    }

    @Test("metadata is replaced only in the cache where a query finds the file")
    func metadata() async throws {
        let caches = caches()
        for cache in caches.dropFirst() { cache.content.put(Data([1]), for: key) }
        try await ImageCacheChain(caches).setMetadata(CacheMetadata(fields: ["a": "b"]), for: key)
        #expect(log.events == ["setMetadata middle"])
        #expect(try await ImageCacheChain(caches).metadata(for: key)?.fields == ["a": "b"])
    }
}
