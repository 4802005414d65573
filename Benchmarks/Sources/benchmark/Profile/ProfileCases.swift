import Easel
import Foundation

extension Profile {
    static let all = [
        Profile(name: "memory-hit", prepare: memoryHit),
        Profile(name: "disk-hit", prepare: diskHit),
        Profile(name: "disk-store", prepare: diskStore),
        Profile(name: "jpeg-thumbnail") { try thumbnail(.jpeg) },
        Profile(name: "progressive-thumbnail") { try thumbnail(.progressive) },
        Profile(name: "jpeg") { try decode(.jpeg) },
        Profile(name: "png") { try decode(.png) },
        Profile(name: "webp") { try decode(.webp) },
        Profile(name: "resize", prepare: resize),
        Profile(name: "gif", prepare: gif),
        Profile(name: "download", prepare: download),
        Profile(name: "coalesce", prepare: coalesce),
        Profile(name: "waiting", prepare: waiting),
        Profile(name: "cold", prepare: cold),
    ]

    private typealias Work = @Sendable () async throws -> Int

    private static func memoryHit() async throws -> Work {
        let urls = (0..<1_000).compactMap { URL(string: DiskGroup.key($0)) }
        let requests = urls.map { ImageRequest($0) }
        let manager = ImageManager { $0.cache = ImageCache(folder: nil) }
        let pixels = try PixelBuffer(size: PixelSize(1, 1), isOpaque: true) { _, _ in }
        for request in requests {
            manager.cache.store(DecodedImage(pixels: pixels, metadata: ImageMetadata()), for: request.key)
        }
        return {
            for request in requests { _ = try await manager.load(request).response }
            return requests.count
        }
    }

    private static func diskHit() async throws -> Work {
        let (cache, keys) = try await filledDisk()
        return {
            for key in keys { _ = try await cache.data(for: key) }
            return keys.count
        }
    }

    private static func diskStore() async throws -> Work {
        let (cache, keys) = try await filledDisk()
        let file = DiskGroup.bytes(20_000)
        return {
            for key in keys { try await cache.store(file, for: key) }
            return keys.count
        }
    }

    private static func filledDisk() async throws -> (DiskCache, [CacheKey]) {
        let cache = DiskCache(folder: URL(filePath: try ScratchFolder.make("profile")))
        let keys = (0..<1_000).map { CacheKey(DiskGroup.key($0)) }
        for key in keys { try await cache.store(DiskGroup.bytes(20_000), for: key) }
        return (cache, keys)
    }

    private static func image(_ kind: ImageFiles.Kind, _ options: DecodeOptions) throws -> Work {
        guard let file = try ImageFiles.photograph(kind, ImageFiles.large) else {
            throw MissingPeer(name: kind.rawValue, reason: "there is no file.")
        }
        let decoder = try CoderRegistry.standard().decoder(for: file.data)
        return {
            _ = try decoder.decode(file.data, options)
            return 1
        }
    }

    private static func decode(_ kind: ImageFiles.Kind) throws -> Work { try image(kind, DecodeOptions()) }

    private static func thumbnail(_ kind: ImageFiles.Kind) throws -> Work {
        try image(kind, DecodeOptions(targetSize: .pixels(width: 300, height: 225)))
    }

    private static func resize() async throws -> Work {
        let image = try Photograph.make(ImageFiles.large)
        return {
            _ = try image.applying([.resize(.pixels(width: 800, height: 600, mode: .fill))])
            return 1
        }
    }

    private static func gif() async throws -> Work {
        guard let file = try ImageFiles.animation(.pan, as: .gif) else { return { 1 } }
        let count = try GIFCoder().header(of: file.data).frameCount
        return {
            let animation = try GIFCoder().makeAnimationDecoder(file.data, DecodeOptions())
            for index in 0..<count { _ = try animation.frame(index) { false } }
            return count
        }
    }

    private static func download() async throws -> Work {
        let (server, easel) = try server()
        return { [base = server.url("many/")] in
            defer { withExtendedLifetime(server) {} }
            return try await easel.download(base, count: 1_000, atATime: 6) / NetworkGroup.small
        }
    }

    /// 64 loads of one URL.
    private static func coalesce() async throws -> Work {
        let (server, easel) = try server()
        return { [url = server.url("many/shared")] in
            defer { withExtendedLifetime(server) {} }
            return try await easel.share([url], by: 64) / NetworkGroup.small
        }
    }

    private static func server() throws -> (NginxServer, EaselClient) {
        let server = try NginxServer(["small": NetworkGroup.image(), "tiny": Data(NetworkGroup.head)])
        return (server, EaselClient(certificate: server.certificate))
    }

    private static func waiting() async throws -> Work {
        let requests = try LoadsInLine.requests(10_000)
        return { await LoadsInLine.beginAndCancel(requests) }
    }

    private static func cold() async throws -> Work {
        guard let file = try ImageFiles.web() else { return { 1 } }
        let server = try NginxServer(["image": file.data])
        let requests = try (0..<400).map { try EndToEndGroup.request(server.url("images/") + String($0)) }
        return {
            let manager = EndToEndGroup.manager(folder: try ScratchFolder.make("cold"))
            defer { withExtendedLifetime(server) {} }
            return try await InParallel.sum(requests.count, atATime: requests.count) { number in
                try await manager.image(for: requests[number]).size == EndToEndGroup.size ? 1 : 0
            }
        }
    }
}
