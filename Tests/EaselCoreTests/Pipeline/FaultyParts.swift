import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport

@testable import EaselCore

/// A seeded source of faults, usable from any thread.
final class FaultSource: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    func roll(_ sides: Int) -> Int { generator.withLock { Int($0.next() % UInt64(sides)) } }
}

/// A loader that returns images at once, late, only when released, or not.
final class FaultyLoader: ImageLoading {
    private let faults: FaultSource
    private let gates = Mutex<(waiting: [Gate], isOver: Bool)>(([], false))
    let starts = Counter()
    let ends = Counter()

    init(_ faults: FaultSource) {
        self.faults = faults
    }

    func canLoad(_ request: ImageRequest) -> Bool { true }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        starts.add()
        defer { ends.add() }
        context.report(received: 0, expected: 7)
        switch faults.roll(12) {
        case 0: throw .status(404)
        case 1: throw .status(503)
        case 2: throw .connectionLost(received: 3, expected: 7)
        case 3: throw .timedOut(.idle)
        case 4: return LoadedData(data: Data("nonsense".utf8), source: .network)
        case 5, 6, 7: try await hold()
        case 8: for _ in 0..<faults.roll(50) { await Task.yield() }
        default: break
        }
        if Task.isCancelled { throw .cancelled }
        context.report(received: 7, expected: 7)
        return LoadedData(data: TestCoder.file(value: UInt8(faults.roll(200))), source: .network)
    }

    private func hold() async throws(ImageError) {
        let gate = Gate()
        gates.withLock { gates in
            if gates.isOver { gate.open() } else { gates.waiting.append(gate) }
        }
        do { try await gate.wait() } catch { throw .cancelled }
    }

    func release() {
        for gate in gates.withLock({ exchange(&$0.waiting, with: []) }) { gate.open() }
    }

    /// Releases the held loads, and holds no later ones.
    func end() {
        gates.withLock { $0.isOver = true }
        release()
    }
}

/// A disk cache in which one call in twenty fails.
final class FaultyCache: ImageCaching {
    private let cache: ImageCache
    private let faults: FaultSource

    init(_ cache: ImageCache, _ faults: FaultSource) {
        self.cache = cache
        self.faults = faults
    }

    private func throwAtRandom(_ error: ImageError) throws(ImageError) {
        if faults.roll(20) == 0 { throw error }
    }

    private static let unreadable = ImageError.unreadable(path: "/cache", reason: "a fault")
    private static let unwritable = ImageError.unwritable(path: "/cache", reason: "a fault")

    func image(for key: CacheKey) -> DecodedImage? { cache.image(for: key) }
    func store(_ image: DecodedImage, for key: CacheKey) { cache.store(image, for: key) }

    func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try throwAtRandom(Self.unreadable)
        return try await cache.file(for: key)
    }

    func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try throwAtRandom(Self.unreadable)
        return try await cache.metadata(for: key)
    }

    func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try throwAtRandom(Self.unwritable)
        try await cache.store(data, metadata: metadata, for: key)
    }

    func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try throwAtRandom(Self.unwritable)
        try await cache.setMetadata(metadata, for: key)
    }

    func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        await cache.contains(key, in: levels)
    }

    func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try throwAtRandom(Self.unwritable)
        try await cache.remove(key, from: levels)
    }

    func removeAll(from levels: CacheLevels) async throws(ImageError) { try await cache.removeAll(from: levels) }
}
