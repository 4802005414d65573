import Easel
import Foundation

/// Folders with very many small entries: the cost of opening, counting and trimming, and of reads meanwhile.
enum LargeFolders {
    private static let count = Scale.pick(100_000, quick: 1_000)
    private static let title = Scale.title(count)
    private static let file = DiskGroup.bytes(1_000)
    private static let keys = (0..<count).map(DiskGroup.key)
    private static let cacheKeys = keys.map { CacheKey($0) }

    /// Easel's folder, which each work opens again.
    private struct Ours: Sendable {
        let folder: URL

        func fill() async throws {
            let cache = DiskCache(folder: folder)
            // Concurrently, since each store waits for another thread.
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
            // Waits for the first count.
            _ = await cache.statistics()
        }

        /// Returns a cache with twice its limit.
        func makeOverfullCache() async -> DiskCache {
            let cache = DiskCache(folder: folder, configuration: .init(maximumBytes: ByteCount(count * file.count - 1)))
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
        let ours = Ours(folder: URL(filePath: try ScratchFolder.make("large")))
        // Nuke's design lists, counts and removes files as SDWebImage's algorithm does, which takes minutes.
        let peers = [try Peer(FoundationFolder.self), try Peer(BlobDatabase.self)]
        Absence.report(StagedFolder.name, cannot: "\(title) entries")
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await ours.fill() }
            for peer in peers { group.addTask { try peer.fill() } }
        }
        return [open(ours, peers), size(ours, peers), readers(ours, peers)] + (try removals(ours)) + trims(ours, peers)
    }

    /// Creates a cache object and checks whether one entry exists.
    private static func open(_ ours: Ours, _ peers: [Peer]) -> Work {
        Work(
            group: DiskGroup.name, name: "open, \(title) entries", maximumRounds: 5,
            ours: Contestant(
                "Easel", .timed { _ in await DiskCache(folder: ours.folder).contains(cacheKeys[7]) ? 1 : 0 }),
            peers: peers.map { peer in
                Contestant(
                    peer.name,
                    .timed { _ in try type(of: peer.cache).init(folder: peer.folder).contains(keys[7]) ? 1 : 0 })
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

    /// The 99th percentile of sequential reads from an idle cache.
    private static func readers(_ ours: Ours, _ peers: [Peer]) -> Work {
        Work(
            group: DiskGroup.name, name: "read 1 KB, 99th percentile", maximumRounds: 1,
            ours: Contestant(
                "Easel",
                .counted {
                    let cache = DiskCache(folder: ours.folder)
                    return try await percentile(20_000) { _ = try await cache.data(for: cacheKeys[$0]) }
                }),
            peers: peers.map { peer in
                Contestant(
                    peer.name, .counted { try await percentile(20_000) { _ = try peer.cache.data(for: keys[$0]) } })
            })
    }

    /// Removes everything of a URL, and of a tag that ten URLs have. The peers have no URLs and tags.
    private static func removals(_ ours: Ours) throws -> [Work] {
        // Only an image can be loaded.
        guard let image = try ImageFiles.photograph(.png, ImageFiles.icon)?.data else { return [] }
        let cache = ImageCache(folder: ours.folder)
        let manager = ImageManager { $0.cache = cache }
        let requests = (0..<10).compactMap { URL(string: "https://images.example/\($0)") }.map { url in
            var request = ImageRequest(url)
            request.cache.tags = ["few"]
            return request
        }
        func store() async throws {
            for request in requests {
                try await cache.disk?.store(image, for: manager.cacheKey(for: request))
                // Tags the URL.
                _ = try await manager.data(for: request)
            }
        }
        func work(_ name: String, _ operations: Int, _ remove: @escaping () async throws -> Int) -> Work {
            Work(
                group: DiskGroup.name, name: "\(name) among \(title) entries", operations: operations,
                ours: Contestant("Easel", prepare: store, .timed { _ in try await remove() }), peers: [])
        }
        return [
            work("remove a URL", requests.count) {
                for request in requests { try await cache.removeAll(of: request.url) }
                return requests.count
            },
            work("remove a tag of ten URLs", 1) {
                let count = try await cache.urls(tagged: "few").count
                try await cache.removeAll(tagged: "few")
                return count / requests.count
            },
        ]
    }

    /// The 99th percentile of reads while the cache is trimmed to half, and the cost of that trim. One run gives both,
    /// since it is slow and can run only once per fill.
    private static func trims(_ ours: Ours, _ peers: [Peer]) -> [Work] {
        let easel = Trim {
            let cache = await ours.makeOverfullCache()
            return Trim.Run(trim: { await cache.trim() }, read: { _ = try await cache.data(for: cacheKeys[$0]) })
        }
        let others = peers.map { peer in
            let trim = Trim {
                Trim.Run(trim: { try peer.cache.trimToHalf() }, read: { _ = try peer.cache.data(for: keys[$0]) })
            }
            return (peer.name, trim)
        }
        func work(_ name: String, _ figure: @escaping (Trim.Figures) -> Double) -> Work {
            func contestant(_ name: String, _ trim: Trim) -> Contestant {
                Contestant(name, .counted { figure(try await trim.figures()) })
            }
            return Work(
                group: DiskGroup.name, name: name, operations: count / 2, maximumRounds: 1,
                ours: contestant("Easel", easel), peers: others.map(contestant))
        }
        return [
            work("trim \(title) to half amid reads, an entry removed") { $0.time / Double(count / 2) },
            work("read 1 KB, 99th percentile amid a trim") { $0.readPercentile },
        ]
    }

    /// A trim with one concurrent reader, run once.
    private final class Trim {
        struct Run: Sendable {
            var trim: @Sendable () async throws -> Void
            var read: @Sendable (Int) async throws -> Void
        }

        struct Figures: Sendable {
            var time: Double
            var readPercentile: Double
        }

        private let prepare: () async throws -> Run
        private var result: Figures?

        init(_ prepare: @escaping () async throws -> Run) { self.prepare = prepare }

        func figures() async throws -> Figures {
            if let result { return result }
            let run = try await prepare()
            let isOver = Flag()
            let trim = Task.detached {
                defer { isOver.raise() }
                let start = ContinuousClock.now
                try await run.trim()
                return (.now - start) / .nanoseconds(1)
            }
            let readPercentile = try await percentile(until: isOver, run.read)
            let figures = Figures(time: try await trim.value, readPercentile: readPercentile)
            result = figures
            return figures
        }
    }

    private static func percentile(
        _ maximum: Int = 1_000_000, until isOver: Flag = Flag(), _ read: (Int) async throws -> Void
    ) async throws -> Double {
        var times: [Double] = []
        let clock = ContinuousClock()
        for number in Shuffle.numbers(min(maximum, 10 * count), below: count) {
            let start = clock.now
            try await read(number)
            times.append((clock.now - start) / .nanoseconds(1))
            if isOver.isRaised { break }
        }
        return times.sorted()[times.count * 99 / 100]
    }
}
