import Easel
import Foundation

/// The cost of HTTP caching. No other client on Linux supports it, so that the peers only do the necessary part.
extension NetworkGroup {
    static func cachingWorks(_ field: Field) async throws -> [Work] {
        let easel = EaselClient(certificate: field.server.certificate, folder: try ScratchFolder.make("http-cache"))
        let fresh = try easel.request(field.server.url("fresh/a"), keeps: true)
        let stale = try easel.request(field.server.url("stale/a"), keeps: true)
        _ = try await easel.manager.data(for: fresh)
        _ = try await easel.manager.load(stale).response
        let tag = try await field.server.entityTag("stale/a")
        return [freshHit(easel, fresh), confirmation(field, easel, stale, tag: tag)]
    }

    private static func freshHit(_ easel: EaselClient, _ request: ImageRequest) -> Work {
        let count = Scale.pick(1_000, quick: 100)
        let key = request.originalKey
        func timed(_ name: String, _ body: @escaping () async throws -> Int?) -> Contestant {
            Contestant(
                name,
                .timed { _ in
                    var right = 0
                    for _ in 0..<count where try await body() == small { right += 1 }
                    return right
                })
        }
        return Work(
            group: name, name: "20 KB kept and fresh", operations: count,
            ours: timed("Easel") {
                let file = try await easel.manager.data(for: request)
                return file.source == .disk ? file.data.count : nil
            },
            peers: [timed("the read from disk alone") { try await easel.manager.cache.file(for: key)?.data.count }])
    }

    /// Measures a round trip without a body or a decode.
    private static func confirmation(
        _ field: Field, _ easel: EaselClient, _ request: ImageRequest, tag: String
    ) -> Work {
        let count = Scale.pick(200, quick: 20)
        let url = request.url.absoluteString
        func timed(
            _ name: String, _ place: Contestant.Place = .thisProcess, _ body: @escaping () async throws -> Int
        ) -> Contestant {
            Contestant(
                name, in: place,
                .timed { _ in
                    let requestCount = try await field.server.requestCount()
                    let right = try await body()
                    return try await field.server.requestCount() - requestCount - 1 == count ? right : 0
                })
        }
        return Work(
            group: name, name: "20 KB kept and stale, 304", operations: count,
            ours: timed("Easel") {
                var right = 0
                for _ in 0..<count {
                    let response = try await easel.manager.load(request).response
                    if response.timeline[.decode] == nil, response.source == .memory { right += 1 }
                }
                return right
            },
            peers: field.warmPeers.map { peer in
                timed(peer.name + ", If-None-Match", peer.place) { try await peer.confirm(url, tag: tag, count: count) }
            })
    }
}
