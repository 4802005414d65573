import Easel
import Foundation

/// Easel's complete file loading: manager, downloader and transport, with coalescing, admission, and standard HTTP
/// caching. Nothing is stored, as in the peers.
struct EaselClient: Sendable {
    let downloader: ImageDownloader
    let manager: ImageManager
    private let certificate: String

    init(certificate: String, folder: String? = nil) {
        self.certificate = certificate
        let downloader = ImageDownloader(transport: CurlTransport(connectionsPerHost: nil))
        self.downloader = downloader
        manager = ImageManager {
            $0.cache = ImageCache(folder: folder.map { URL(filePath: $0) })
            $0.loader = downloader
        }
    }

    func request(_ url: String, keeps: Bool = false) throws -> ImageRequest {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        return ImageRequest(url) {
            $0.http.policy = .standard
            $0.http.security.trustedCertificateFile = certificate
            if keeps {
                $0.options = .waitStoreCache
            } else {
                // Also ignores an earlier response that is still in use.
                $0.options = .fromLoaderOnly
                $0.cache.store = []
                $0.cache.storeOriginal = []
            }
        }
    }

    func get(_ url: String) async throws -> LoadedData { try await manager.data(for: try request(url)) }

    func download(_ base: String, count: Int, atATime: Int) async throws -> Int {
        try await InParallel.sum(count, atATime: atATime) { try await get(base + String($0)).data.count }
    }

    /// Loads each file `count` times, and returns the number of bytes. Files are delivered after all loads have
    /// started.
    func share(_ urls: [String], by count: Int) async throws -> Int {
        downloader.isSuspended = true
        let all = urls.count * count
        async let byteCount = InParallel.sum(all, atATime: all) { try await get(urls[$0 / count]).data.count }
        while manager.statistics.inFlight < all { try await Task.sleep(for: .milliseconds(1)) }
        downloader.isSuspended = false
        return try await byteCount
    }

    /// Starts `count` loads, cancels them while all but a few are waiting, and returns the nanoseconds until all have
    /// ended.
    func cancel(_ base: String, count: Int) async throws -> Double {
        let tasks = try (0..<count).map { manager.load(try request(base + String($0))) }
        let start = ContinuousClock.now
        manager.cancelAll()
        while manager.statistics.inFlight > 0 || downloader.currentDownloadCount > 0 { await Task.yield() }
        let elapsed = (.now - start) / .nanoseconds(1)
        guard tasks.allSatisfy(\.isCancelled) else { return .nan }
        return elapsed
    }

    /// Returns the peak memory of a transfer whose reader stops after the first piece of the body.
    static func peakBodyMemory(_ url: String) async throws -> Double {
        let transport = CurlTransport()
        let before = allocatedBytes()
        let response = try await transport.send(HTTPRequest(url: url))
        _ = try await response.body.next()
        defer { withExtendedLifetime(response) {} }
        return try await InParallel.growth(before)
    }
}
