import Easel
import Foundation

/// Easel's disk cache compared with SDWebImage's algorithm, Nuke's design, blobs in a database, and Python's diskcache:
/// files of 20 KB in the system's page cache.
enum DiskGroup {
    static let name = "disk"

    private static let count = Scale.pick(1_000, quick: 100)
    private static let reads = Scale.pick(2_000, quick: 200)
    private static let file = bytes(20_000)

    @Sendable static func works() async throws -> [Work] {
        let keys = (0..<count).map(key)
        let ours = DiskCache(folder: URL(filePath: try ScratchFolder.make("easel")))
        let cacheKeys = keys.map { CacheKey($0) }
        for key in cacheKeys { try await ours.store(file, for: key) }
        // Waits for the first count.
        _ = await ours.statistics()
        let peers: [any DiskPeer] = [
            try FoundationFolder(folder: ScratchFolder.make("foundation")),
            try StagedFolder(folder: ScratchFolder.make("staged")),
            try BlobDatabase(folder: ScratchFolder.make("database")),
        ]
        for peer in peers { try peer.fill(keys, with: file) }
        let python = Absence.makeOrReport { try DiskcachePeer(count: count) }
        var works = [
            read(ours, cacheKeys, peers, keys), try store(cacheKeys, keys),
            contains(ours, cacheKeys, peers, keys, isHit: true), contains(ours, cacheKeys, peers, keys, isHit: false),
        ]
        if let python {
            works[0].peers.append(python.reader("read", operations: reads))
            works[1].peers.append(try python.writer())
            works[2].peers.append(python.reader("exists", operations: reads))
            works[3].peers.append(python.reader("missing", operations: reads))
        }
        return works
    }

    private static func read(
        _ ours: DiskCache, _ cacheKeys: [CacheKey], _ peers: [any DiskPeer], _ keys: [String]
    ) -> Work {
        let order = Shuffle.numbers(reads, below: count)
        return Work(
            group: name, name: "read 20 KB", operations: order.count,
            ours: Contestant(
                "Easel",
                .timed { _ in
                    var right = 0
                    for number in order where try await ours.data(for: cacheKeys[number])?.count == file.count {
                        right += 1
                    }
                    return right
                }),
            peers: peers.map { peer in
                Contestant(
                    type(of: peer).name,
                    .timed { _ in try order.count { try peer.data(for: keys[$0])?.count == file.count } })
            })
    }

    /// Stores new keys, each round into an empty folder, since replacing an entry includes removing a file. Only Easel
    /// and the row of the bare system calls store response metadata.
    private static func store(_ cacheKeys: [CacheKey], _ keys: [String]) throws -> Work {
        let metadata = CacheMetadata(fields: [
            "etag": "\"5f3c-62d1e8a0b7c40\"", "last-modified": "Sat, 21 Nov 2026 10:00:00 GMT",
            "cache-control": "public, max-age=86400", "content-type": "image/jpeg",
        ])
        // The fields with their lengths, and the record itself.
        let attributeCount = metadata.fields.reduce(35) { $0 + 8 + $1.key.utf8.count + $1.value.utf8.count }
        var ours = DiskCache(folder: URL(filePath: try ScratchFolder.make("easel")))
        return Work(
            group: name, name: "store 20 KB", operations: count,
            ours: Contestant(
                "Easel", prepare: { ours = DiskCache(folder: URL(filePath: try ScratchFolder.make("easel"))) },
                .timed { _ in
                    for key in cacheKeys { try await ours.store(file, metadata: metadata, for: key) }
                    return cacheKeys.count
                }),
            peers: [
                try makeStoringContestant(keys, FoundationFolder.self),
                try makeStoringContestant(keys, StagedFolder.self),
                try makeStoringContestant(keys, BlobDatabase.self),
                try SystemCalls.makeStoringContestant(
                    cacheKeys.map(\.fileName), file, attribute: bytes(attributeCount)),
            ])
    }

    private static func makeStoringContestant(_ keys: [String], _ type: (some DiskPeer).Type) throws -> Contestant {
        var peer = try type.init(folder: ScratchFolder.make("peer"))
        return Contestant(
            type.name, prepare: { peer = try type.init(folder: ScratchFolder.make("peer")) },
            .timed { _ in
                for key in keys { try peer.store(file, for: key) }
                try peer.flush()
                return keys.count
            })
    }

    private static func contains(
        _ ours: DiskCache, _ cacheKeys: [CacheKey], _ peers: [any DiskPeer], _ keys: [String], isHit: Bool
    ) -> Work {
        let order = Shuffle.numbers(reads, below: count)
        let cacheKeys = isHit ? cacheKeys : keys.map { CacheKey($0 + "&missing") }
        let keys = isHit ? keys : keys.map { $0 + "&missing" }
        return Work(
            group: name, name: isHit ? "exists, hit" : "exists, miss", operations: order.count,
            ours: Contestant(
                "Easel",
                .timed { _ in
                    var right = 0
                    for number in order where await ours.contains(cacheKeys[number]) == isHit { right += 1 }
                    return right
                }),
            peers: peers.map { peer in
                Contestant(
                    type(of: peer).name, .timed { _ in try order.count { try peer.contains(keys[$0]) == isHit } })
            })
    }

    static func key(_ number: Int) -> String {
        "https://images.example/albums/\(number / 100)/\(number).jpg?width=300"
    }

    /// Returns bytes that resemble a compressed image.
    static func bytes(_ count: Int) -> Data {
        var shuffle = Shuffle()
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: shuffle.next()) })
    }
}
