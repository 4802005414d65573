import Easel
import Foundation

/// Very many small entries: what opening, adding up and trimming cost then, and how readers fare meanwhile.
enum LargeFolders {
    private static let count = Scale.pick(100_000, quick: 1_000)
    private static let title = Scale.title(count)
    private static let file = DiskGroup.bytes(1_000)
    private static let keys = (0..<count).map(DiskGroup.key)
    private static let cacheKeys = keys.map { CacheKey($0) }

    /// Our folder, which each piece of work opens anew.
    private struct Ours: Sendable {
        let folder: String

        func fill() async throws {
            let cache = DiskCache(folder: folder)
            // Many at a time: one after the other, each would wait for its turn on another thread.
            let parts = 32
            try await withThrowingDiscardingTaskGroup { group in
                for part in 0..<parts {
                    group.addTask {
                        for number in stride(from: part, to: count, by: parts) {
                            let key = cacheKeys[number]
                            if await !cache.contains(key) { try await cache.store(file, for: key) }
                        }
                    }
                }
            }
            await cache.settle()
        }

        /// A cache that has twice as much as it may keep.
        func overfull() async -> DiskCache {
            let cache = DiskCache(folder: folder, configuration: .init(maximumBytes: count * file.count - 1))
            _ = await cache.contains(cacheKeys[0])
            return cache
        }
    }

    /// A peer and its folder.
    private struct Peer: Sendable {
        let folder: String
        let cache: any DiskPeer

        init(_ type: (some DiskPeer).Type) throws {
            folder = try ScratchFolder.make("large")
            cache = try type.init(folder: folder)
        }

        var name: String { type(of: cache).name }

        func fill() throws { try cache.fill(keys, with: file) }
    }

    @Sendable static func works() async throws -> [Work] {
        let ours = Ours(folder: try ScratchFolder.make("large"))
        let peers = [try Peer(FoundationFolder.self), try Peer(StagedFolder.self), try Peer(BlobDatabase.self)]
        try await ours.fill()
        for peer in peers { try peer.fill() }
        return [
            open(ours, peers), size(ours, peers), readers(ours, peers, whileTrimming: false), trim(ours, peers),
            readers(ours, peers, whileTrimming: true),
        ]
    }

    /// A new cache object, and whether one entry is there.
    private static func open(_ ours: Ours, _ peers: [Peer]) -> Work {
        Work(
            group: DiskGroup.name, name: "open, \(title) entries", maximumRounds: 5,
            ours: Contestant(
                "Easel", .timed { _ in await DiskCache(folder: ours.folder).contains(cacheKeys[7]) ? 1 : 0 }),
            peers: peers.map { peer in
                Contestant(
                    peer.name,
                    .timed { _ in try type(of: peer.cache).init(folder: peer.folder).exists(keys[7]) ? 1 : 0 })
            })
    }

    private static func size(_ ours: Ours, _ peers: [Peer]) -> Work {
        let cache = DiskCache(folder: ours.folder)
        return Work(
            group: DiskGroup.name, name: "total size, \(title) entries", maximumRounds: 3,
            ours: Contestant(
                "Easel", prepare: { if !cache.usage.isComplete { _ = await cache.statistics() } },
                .timed { _ in cache.usage.entries == count ? 1 : 0 }),
            peers: peers.map { peer in
                Contestant(
                    peer.name,
                    .timed { _ in
                        let size = try peer.cache.totalSize()
                        return size >= count * file.count ? 1 : 0
                    })
            })
    }

    private static func trim(_ ours: Ours, _ peers: [Peer]) -> Work {
        Work(
            group: DiskGroup.name, name: "trim \(title) to half, an entry removed", operations: count / 2,
            maximumRounds: 1,
            ours: Contestant(
                "Easel", prepare: { try await ours.fill() },
                .timed { operations in
                    await ours.overfull().trim()
                    return operations
                }),
            peers: peers.map { peer in
                Contestant(
                    peer.name, prepare: { try peer.fill() },
                    .timed { operations in
                        try peer.cache.trimToHalf()
                        return operations
                    })
            })
    }

    /// The 99th percentile of reads of one entry after the other, for a while or for as long as a trim takes.
    private static func readers(_ ours: Ours, _ peers: [Peer], whileTrimming: Bool) -> Work {
        Work(
            group: DiskGroup.name,
            name: whileTrimming ? "read 1 KB, 99th percentile amid a trim" : "read 1 KB, 99th percentile",
            maximumRounds: 1,
            ours: Contestant(
                "Easel", prepare: { try await ours.fill() },
                .counted {
                    let cache = await ours.overfull()
                    let trim = whileTrimming ? Task.detached { await cache.trim() } : nil
                    return try await percentile(of: trim) { _ = try await cache.data(for: cacheKeys[$0]) }
                }),
            peers: peers.map { peer in
                Contestant(
                    peer.name, prepare: { try peer.fill() },
                    .counted {
                        let trim = whileTrimming ? Task.detached { (try? peer.cache.trimToHalf()) != nil } : nil
                        return try await percentile(of: trim) { _ = try peer.cache.data(for: keys[$0]) }
                    })
            })
    }

    private static func percentile<Success: Sendable>(
        of trim: Task<Success, Never>?, _ read: (Int) async throws -> Void
    ) async throws -> Double {
        let isOver = Flag()
        if let trim {
            Task.detached {
                _ = await trim.value
                isOver.raise()
            }
        }
        var times: [Double] = []
        let clock = ContinuousClock()
        for number in Shuffle.numbers(1_000_000, below: count) {
            if trim == nil ? times.count == min(count, 20_000) : isOver.isRaised && !times.isEmpty { break }
            let start = clock.now
            try await read(number)
            times.append((clock.now - start) / .nanoseconds(1))
        }
        _ = await trim?.value
        return times.sorted()[times.count * 99 / 100]
    }
}
