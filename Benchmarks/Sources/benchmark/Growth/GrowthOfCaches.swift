import Easel
import Foundation

/// Caches with increasing numbers of entries.
enum GrowthOfCaches {
    private final class Value: Sendable {}

    private static let counts = Scale.pick([100, 1_000, 10_000, 100_000], quick: [100, 1_000])
    private static let operations = Scale.pick(200_000, quick: 20_000)

    @Sendable static func memory() async throws -> [Growth.Series] {
        var hits = Growth.Series(title: "memory hit", items: "entries")
        var stores = Growth.Series(title: "memory insert and evict", items: "entries")
        for count in counts {
            let keys = (0..<count * 3).map { CacheKey(DiskGroup.key($0)) }
            let cache = MemoryCache<Value>(maximumCost: count)
            let value = Value()
            for key in keys.prefix(count) { cache.store(value, cost: 1, for: key) }
            let order = Shuffle.numbers(operations, below: count)
            let hit = await Growth.least("memory, \(count)") {
                var right = 0
                let time = await Growth.time { right = order.count { cache.value(for: keys[$0]) != nil } }
                return right == order.count ? time / Double(order.count) : .nan
            }
            let store = await Growth.least("memory, \(count)") {
                await Growth.time {
                    for number in 0..<operations { cache.store(value, cost: 1, for: keys[number % keys.count]) }
                } / Double(operations)
            }
            hits.points.append(Growth.Point(count: Double(count), cost: hit))
            stores.points.append(Growth.Point(count: Double(count), cost: store))
        }
        return [hits, stores]
    }

    @Sendable static func disk() async throws -> [Growth.Series] {
        var hits = Growth.Series(title: "disk hit, 1 KB", items: "entries")
        var stores = Growth.Series(title: "disk store, 1 KB", items: "entries")
        let cache = DiskCache(folder: URL(filePath: try ScratchFolder.make("growth")))
        let file = DiskGroup.bytes(1_000)
        var keys: [CacheKey] = []
        func add(_ count: Int) async throws {
            let first = keys.count
            keys += (first..<first + count).map { CacheKey(DiskGroup.key($0)) }
            for key in keys[first...] { try await cache.store(file, for: key) }
        }
        for count in counts {
            try await add(count - keys.count)
            let order = Shuffle.numbers(2_000, below: count)
            let hit = try await Growth.least("disk, \(count)") {
                try await Growth.time {
                    for number in order { _ = try await cache.data(for: keys[number]) }
                } / Double(order.count)
            }
            // At most a tenth more.
            let added = max(count / 50, 2)
            let store = try await Growth.least("disk, \(count)") {
                try await Growth.time { try await add(added) } / Double(added)
            }
            hits.points.append(Growth.Point(count: Double(count), cost: hit))
            stores.points.append(Growth.Point(count: Double(count), cost: store))
        }
        return [hits, stores]
    }
}
