import EaselTesting

@testable import EaselCore

import EaselFoundation
import TestSupport

/// A cache that records its calls and returns when its gate is open.
final class WatchedCache: ExtendedImageCaching {
    let name: String
    let log: Recorder<String>
    let content = ScriptedCache()
    private let gate: Gate?
    private let failure: ImageError?
    private let listens: Bool

    init(_ name: String, _ log: Recorder<String>, gate: Gate? = nil, failure: ImageError? = nil, listens: Bool = true) {
        self.name = name
        self.log = log
        self.gate = gate
        self.failure = failure
        self.listens = listens
    }

    var partialFolder: String? { "/partial/" + name }

    private func enter(_ call: String) async throws(ImageError) {
        log.record("\(call) \(name)")
        if let gate {
            if listens {
                do { try await gate.wait() } catch {
                    log.record("cancelled \(name)")
                    throw .cancelled
                }
            } else {
                await Task { try? await gate.wait() }.value
            }
        }
        if let failure { throw failure }
    }

    func image(for key: CacheKey) -> DecodedImage? {
        log.record("image \(name)")
        return content.image(for: key)
    }

    func store(_ image: DecodedImage, for key: CacheKey) { content.store(image, for: key) }
    func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? { nil }
    func images(inFamily family: CacheKey) -> [DecodedImage] { content.image(for: family).map { [$0] } ?? [] }
    func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) { content.store(image, for: key) }
    func decodedImage(for key: CacheKey) -> CachedImage? { nil }
    func storeDecodedWhenIdle(_ image: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool { false }
    var memoryStatistics: MemoryCacheStatistics? { nil }
    func removeURL(of key: CacheKey) async throws(ImageError) { try await remove(key, from: .all) }
    func set(_ mark: CacheMark, _ source: CachedURL) {}
    func remove(_ mark: CacheMark, _ source: CachedURL) {}
    func urls(with mark: CacheMark) -> [CachedURL] { [] }
    func lease(_ key: CacheKey) -> FileLease? { nil }

    func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await enter("file")
        return try await content.file(for: key)
    }

    func metadata(for key: CacheKey) -> CacheMetadata? { content.metadata(for: key) }

    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await enter("store")
        try await content.store(data, metadata: metadata, for: key)
    }

    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await enter("setMetadata")
        try await content.setMetadata(metadata, for: key)
    }

    func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        try await enter("storeDecoded")
        return true
    }

    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        do throws(ImageError) { try await enter("contains") } catch { return [] }
        var present: CacheLevels = []
        if content.files[key] != nil { present.insert(.disk) }
        if content.image(for: key) != nil { present.insert(.memory) }
        return present.intersection(levels)
    }

    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try await enter("remove")
        try await content.remove(key, from: levels)
    }

    func removeAll(from levels: CacheLevels) async throws(ImageError) { try await enter("clear") }
}
