import Easel
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The whole cost of a call with a memory hit, from the request to the response.
enum WholeCalls {
    static let hit = "memory hit through ImageManager, whole call"

    private static let count = 1_000
    private static let operations = Scale.pick(20_000, quick: 2_000)

    @Sendable static func works() async throws -> [Work] {
        let order = Shuffle.numbers(operations, below: count)
        let urls = (0..<count).compactMap { URL(string: DiskGroup.key($0)) }
        let requests = urls.map { ImageRequest($0) }
        let manager = ImageManager { $0.cache = ImageCache(folder: nil) }
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        let image = DecodedImage(pixels: pixels, metadata: ImageMetadata())
        for request in requests { manager.cache.store(image, for: request.key) }
        let foundation = FoundationCache(urls)
        return [
            work(
                hit, order, ours: { try await manager.load(requests[$0]).response.source == .memory },
                foundation: { foundation.has(foundation.requests[$0]) }),
            work(
                "memory hit through ImageManager, by URL", order,
                ours: { try await manager.image(for: urls[$0]).size.width == 1 },
                foundation: { foundation.has(URLRequest(url: urls[$0])) }),
        ]
    }

    private static func work(
        _ name: String, _ order: [Int], ours: @escaping (Int) async throws -> Bool,
        foundation: @escaping (Int) -> Bool
    ) -> Work {
        Work(
            group: EndToEndGroup.name, name: name, operations: order.count,
            ours: Contestant(
                "Easel",
                .timed { _ in
                    var right = 0
                    for number in order where try await ours(number) { right += 1 }
                    return right
                }),
            peers: [Contestant("URLCache", .timed { _ in order.count { foundation($0) } })])
    }

    /// Foundation's cache, which stores the bytes: the image has to be decoded afterwards.
    private struct FoundationCache {
        private let cache = URLCache(memoryCapacity: 100 << 20, diskCapacity: 0, diskPath: nil)
        let requests: [URLRequest]

        init(_ urls: [URL]) {
            requests = urls.map { URLRequest(url: $0) }
            let data = DiskGroup.bytes(20_000)
            for (url, request) in zip(urls, requests) {
                let response = URLResponse(
                    url: url, mimeType: "image/jpeg", expectedContentLength: data.count, textEncodingName: nil)
                cache.storeCachedResponse(CachedURLResponse(response: response, data: data), for: request)
            }
        }

        func has(_ request: URLRequest) -> Bool { cache.cachedResponse(for: request) != nil }
    }
}
