import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

/// A manager over a cache in a temporary folder, with a loader of small images.
struct CachedURLFixture {
    let folder: TemporaryFolder
    let cache: ImageCache
    let loader: ScriptedLoader
    let manager: ImageManager

    static let url = URL(string: "http://example.com/a.test") ?? URL(fileURLWithPath: "/")
    static let other = URL(string: "http://example.com/b.test") ?? URL(fileURLWithPath: "/")

    static func with(
        loader: ScriptedLoader = ScriptedLoader(), conditions: NetworkConditions = [],
        _ configure: (inout ImageCache.Configuration) -> Void = { _ in },
        _ body: (CachedURLFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path, configure)
            try await body(CachedURLFixture(folder, cache, loader, conditions))
        }
    }

    private init(
        _ folder: TemporaryFolder, _ cache: ImageCache, _ loader: ScriptedLoader, _ conditions: NetworkConditions
    ) {
        (self.folder, self.cache, self.loader) = (folder, cache, loader)
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = loader
        configuration.networkConditions = { conditions }
        configuration.coders = CoderRegistry(decoders: [TestCoder()], encoders: [TestCoder()])
        manager = ImageManager(configuration: configuration)
    }

    /// Returns another cache over the same folder, like that of another process.
    func another(_ configure: (inout ImageCache.Configuration) -> Void = { _ in }) -> ImageCache {
        ImageCache(folder: folder.path, configure)
    }

    static func request(_ url: URL = url, _ configure: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        ImageRequest(url) {
            $0.options = .waitStoreCache
            configure(&$0)
        }
    }

    /// Loads an image, and waits until it is stored.
    func load(_ url: URL = url, _ configure: (inout ImageRequest) -> Void = { _ in }) async throws {
        _ = try await manager.image(for: Self.request(url, configure))
    }

    /// The paths of all files in the folder that belong to a URL.
    func files(of url: URL = url) throws -> [String] {
        let digest = CacheKey(url.absoluteString).digest.text
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.contains(digest) && !$0.hasPrefix("pins/") && !$0.hasPrefix("tags/") }.sorted()
    }
}
