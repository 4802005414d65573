import Easel
import Foundation

/// Easel's memory cache compared with Foundation's, one of linked nodes, and Python's.
enum MemoryGroup {
    static let name = "memory"

    static let operations = Scale.pick(200_000, quick: 20_000)
    /// Few and many entries.
    private static let counts = Scale.pick([1_000, 100_000], quick: [1_000])

    /// A value of minimal size, so that only the cache is measured.
    private final class Value: Sendable {}

    /// A wrapper, since NSCache accepts only objects.
    private final class Box: Sendable {
        let image: DecodedImage
        init(_ image: DecodedImage) { self.image = image }
    }

    @Sendable static func works() async throws -> [Work] {
        let order = Shuffle.numbers(operations, below: .max)
        let python = Absence.makeOrReport { try CachetoolsPeer() }
        return [try imageHit(order)]
            + counts.flatMap { count in
                [hit(count, order), miss(count, order), store(count, order)].map { $0.joined(by: python, count) }
            }
            + [hitByText(order), bytesAnEntry()]
    }

    /// Measures the lookup of a load that hits.
    private static func imageHit(_ order: [Int]) throws -> Work {
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        let texts = texts(1_000)
        let ours = ImageCache(folder: nil), keys = texts.map { CacheKey($0) }
        let linked = LinkedCache<DecodedImage>(maximumCost: .max)
        let foundation = NSCache<NSString, Box>(), names = texts.map { $0 as NSString }
        for index in texts.indices {
            ours.store(image, for: keys[index])
            linked.store(image, cost: 1, for: texts[index])
            foundation.setObject(Box(image), forKey: names[index], cost: image.memoryCost)
        }
        return work(
            "hit, image", order, count: texts.count,
            ours: { ours.image(for: keys[$0])?.size.width == 1 },
            linked: { linked.value(for: texts[$0])?.size.width == 1 },
            foundation: { foundation.object(forKey: names[$0])?.image.size.width == 1 })
    }

    /// Measures hits with existing keys.
    private static func hit(_ count: Int, _ order: [Int]) -> Work {
        let texts = texts(count), caches = Caches(texts), keys = texts.map { CacheKey($0) }
        let names = texts.map { $0 as NSString }
        return work(
            "hit, \(Scale.title(count)) entries", order, count: count,
            ours: { caches.ours.value(for: keys[$0]) != nil },
            linked: { caches.linked.value(for: texts[$0]) != nil },
            foundation: { caches.foundation.object(forKey: names[$0]) != nil })
    }

    /// Measures misses.
    private static func miss(_ count: Int, _ order: [Int]) -> Work {
        let caches = Caches(texts(count)), texts = texts(count).map { $0 + "&missing" }
        let keys = texts.map { CacheKey($0) }, names = texts.map { $0 as NSString }
        return work(
            "miss, \(Scale.title(count)) entries", order, count: count,
            ours: { caches.ours.value(for: keys[$0]) == nil },
            linked: { caches.linked.value(for: texts[$0]) == nil },
            foundation: { caches.foundation.object(forKey: names[$0]) == nil })
    }

    /// Measures storing new values into a full cache: three times as many keys as its limit, in sequence.
    private static func store(_ count: Int, _ order: [Int]) -> Work {
        let texts = texts(count * 3), caches = Caches(texts, maximumCost: count)
        let keys = texts.map { CacheKey($0) }, names = texts.map { $0 as NSString }
        let value = Value()
        return work(
            "insert and evict, \(Scale.title(count)) entries", Array(0..<operations), count: texts.count,
            ours: {
                caches.ours.store(value, cost: 1, for: keys[$0])
                // Checked rarely, since it takes the lock again, which the peers do not.
                return $0 & 1_023 != 0 || caches.ours.totalCost == count
            },
            linked: {
                caches.linked.store(value, cost: 1, for: texts[$0])
                return true
            },
            foundation: {
                // NSCache does not report its size.
                caches.foundation.setObject(value, forKey: names[$0], cost: 1)
                return true
            })
    }

    /// Measures hits with keys that are created from text each time.
    private static func hitByText(_ order: [Int]) -> Work {
        let texts = texts(1_000), caches = Caches(texts)
        return work(
            "hit, key made from text", order, count: texts.count,
            ours: { caches.ours.value(for: CacheKey(texts[$0])) != nil },
            linked: { caches.linked.value(for: texts[$0]) != nil },
            foundation: { caches.foundation.object(forKey: texts[$0] as NSString) != nil })
    }

    /// Measures the allocations of a cache for 100,000 entries whose keys and values exist already.
    private static func bytesAnEntry() -> Work {
        let texts = texts(Scale.pick(100_000, quick: 1_000)), keys = texts.map { CacheKey($0) },
            names = texts.map { $0 as NSString }
        let value = Value()
        func counted(_ name: String, _ fill: @escaping () -> Any) -> Contestant {
            Contestant(
                name,
                .counted {
                    let before = allocatedBytes()
                    let cache = fill()
                    return withExtendedLifetime(cache) {
                        Double(allocatedBytes() - before) / Double(texts.count)
                    }
                })
        }
        return Work(
            group: Self.name, name: "bytes an entry beyond key and value", unit: .bytes,
            operations: texts.count, maximumRounds: 3,
            ours: counted("Easel") {
                let cache = MemoryCache<Value>(maximumCost: .max)
                for key in keys { cache.store(value, cost: 1, for: key) }
                return cache
            },
            peers: [
                counted("linked nodes") {
                    let cache = LinkedCache<Value>(maximumCost: .max)
                    for text in texts { cache.store(value, cost: 1, for: text) }
                    return cache
                },
                counted("NSCache") {
                    let cache = NSCache<NSString, Value>()
                    for name in names { cache.setObject(value, forKey: name, cost: 1) }
                    return cache
                },
            ])
    }

    /// The three caches, filled with all values, or with the last ones that fit.
    private struct Caches {
        let ours: MemoryCache<Value>
        let linked: LinkedCache<Value>
        let foundation = NSCache<NSString, Value>()

        init(_ texts: [String], maximumCost: Int = 1_000_000) {
            ours = MemoryCache(maximumCost: maximumCost)
            linked = LinkedCache(maximumCost: maximumCost)
            foundation.totalCostLimit = maximumCost
            for text in texts {
                ours.store(Value(), cost: 1, for: CacheKey(text))
                linked.store(Value(), cost: 1, for: text)
                foundation.setObject(Value(), forKey: text as NSString, cost: 1)
            }
        }
    }

    /// Inlined, so that no closure call is measured.
    @inline(__always)
    private static func work(
        _ name: String, _ order: [Int], count: Int, ours: @escaping (Int) -> Bool,
        linked: @escaping (Int) -> Bool, foundation: @escaping (Int) -> Bool
    ) -> Work {
        let order = order.map { $0 % count }
        return Work(
            group: Self.name, name: name, operations: operations,
            ours: Contestant("Easel", .timed { operations in (0..<operations).count { ours(order[$0]) } }),
            peers: [
                Contestant("linked nodes", .timed { operations in (0..<operations).count { linked(order[$0]) } }),
                Contestant("NSCache", .timed { operations in (0..<operations).count { foundation(order[$0]) } }),
            ])
    }

    private static func texts(_ count: Int) -> [String] {
        (0..<count).map { "https://images.example/albums/\($0 / 100)/\($0).jpg?width=300" }
    }
}
