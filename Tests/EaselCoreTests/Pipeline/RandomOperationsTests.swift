import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import EaselCore

/// Records the events of one load.
private final class Watch: Sendable {
    private let state = Mutex((ends: 0, late: 0, isUnwanted: false, isLost: false))

    var ends: Int { state.withLock { $0.ends } }
    /// Events after the end.
    var late: Int { state.withLock { $0.late } }
    /// Whether the load ended as cancelled without a cancellation.
    var isLost: Bool { state.withLock { $0.isLost } }

    /// Marks the load as about to be cancelled.
    func leave() { state.withLock { $0.isUnwanted = true } }

    func didReceive(_ event: LoadEvent) {
        state.withLock { state in
            if state.ends > 0 { state.late += 1 }
            guard case .finished(let outcome) = event else { return }
            state.ends += 1
            if case .failure(.cancelled) = outcome, !state.isUnwanted { state.isLost = true }
        }
    }
}

private struct Reference {
    weak var object: AnyObject?
}

/// A manager with random operations in an order set by a seed.
private struct Operations {
    private var generator: SeededGenerator
    private let faults: FaultSource
    let loader: FaultyLoader
    let manager: ImageManager
    private let prefetcher: ImagePrefetcher
    private var live: [(task: ImageTask, watch: Watch)] = []
    private var prefetches: [PrefetchTask] = []
    private(set) var watches: [Watch] = []
    /// Objects that must be deallocated at the end.
    private(set) var references: [Reference] = []

    init(seed: UInt64, folder: TemporaryFolder) {
        generator = SeededGenerator(seed: seed)
        faults = FaultSource(seed: ~seed)
        loader = FaultyLoader(faults)
        let coder = TestCoder()
        var configuration = ImageManager.Configuration()
        configuration.cache = FaultyCache(ImageCache(folder: folder.path) { $0.decoded = nil }, faults)
        configuration.loader = loader
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        manager = ImageManager(configuration: configuration)
        prefetcher = ImagePrefetcher(manager: manager)
        references = [Reference(object: manager), Reference(object: loader), Reference(object: prefetcher)]
    }

    private mutating func roll(_ sides: Int) -> Int { Int(generator.next() % UInt64(sides)) }

    private mutating func request() throws -> ImageRequest {
        let options: [LoadOptions] = [
            [], [], [], .refreshCached, .fromCacheOnly, .fromLoaderOnly, .waitStoreCache, .retryFailed, .progressive,
            .avoidCoalescing, [.refreshCached, .retryFailed], .queryMemoryData,
        ]
        let url = try #require(URL(string: "http://example.com/\(roll(20)).test"))
        var request = ImageRequest(url)
        request.options = options[roll(options.count)]
        if roll(3) == 0 { request.targetSize = .pixels(width: 4, height: 4) }
        for name in ["A", "B"].prefix(roll(3)) {
            request.transforms.append(ImageTransform(InvertTransform(name: name)))
        }
        return request
    }

    private mutating func load(_ request: ImageRequest) {
        let task = manager.load(request)
        let watch = Watch()
        task.observe { watch.didReceive($0) }
        watches.append(watch)
        if watches.count.isMultiple(of: 50) { references.append(Reference(object: task)) }
        live.append((task, watch))
        if live.count > 60 { live.remove(at: roll(live.count)) }
    }

    mutating func step() async throws {
        switch roll(100) {
        case 0..<40: load(try request())
        case 40..<55: if let one = live.randomElement(using: &generator) { load(one.task.request) }
        case 55..<70:
            if let one = live.randomElement(using: &generator) {
                one.watch.leave()
                one.task.cancel()
            }
        case 70..<80:
            live.randomElement(using: &generator)?.task.priority =
                LoadPriority.allCases[roll(LoadPriority.allCases.count)]
        case 80..<83:
            let levels: [CacheLevels] = [.memory, .disk, .all]
            prefetches.append(
                prefetcher.prefetch([try request(), try request(), try request()], to: levels[roll(levels.count)]))
        case 83: prefetches.randomElement(using: &generator)?.cancel()
        case 84: try? await manager.cache.removeAll(from: .memory)
        case 85: try? await manager.cache.remove(try request().key, from: .all)
        case 86: if roll(10) == 0 { try? await manager.cache.removeAll(from: .all) }
        case 87: manager.forgetFailures()
        case 88:
            if roll(20) == 0 {
                for watch in watches { watch.leave() }
                manager.cancelAll()
            }
        case 89..<94: loader.release()
        case 94: await Task.yield()
        default:
            // Drops finished loads. Not every load can be awaited, because the loader holds some.
            live.removeAll { $0.task.currentOutcome != nil }
        }
    }

    /// Waits until all work has ended.
    mutating func end() async throws {
        loader.end()
        for one in live { _ = await one.task.outcome }
        for prefetch in prefetches { _ = await prefetch.summary }
        live = []
        prefetches = []
        let (manager, loader, watches) = (manager, loader, watches)
        try await until { watches.allSatisfy { $0.ends > 0 } && !manager.isRunning }
        try await until { manager.pipeline.workCount == 0 && loader.starts.count == loader.ends.count }
        // Files stored after their loads keep their leases until then.
        try await until { manager.pipeline.images.finishedCount == 0 && manager.pipeline.files.finishedCount == 0 }
    }
}

@Suite("Manager: random operations with faults", .timeLimit(.minutes(30)))
struct RandomOperationsTests {
    private static let seeds = (0..<UInt64(Soak.rounds(1, long: 50))).map { 20_260_000 + $0 }

    @Test(
        "ten thousand operations end each load once, cancel none by themselves, and leak nothing (B59, B62, B101)",
        arguments: seeds)
    func operations(seed: UInt64) async throws {
        try await TemporaryFolder.with { folder in
            let references = try await run(seed, folder)
            // Pending writes retain the manager.
            try await until { references.allSatisfy { $0.object == nil } }
        }
    }

    private func run(_ seed: UInt64, _ folder: TemporaryFolder) async throws -> [Reference] {
        var operations = Operations(seed: seed, folder: folder)
        for _ in 0..<10_000 { try await operations.step() }
        try await operations.end()
        let watches = operations.watches
        #expect(watches.count > 4_000, "seed \(seed)")
        #expect(watches.allSatisfy { $0.ends == 1 }, "seed \(seed)")
        #expect(watches.allSatisfy { $0.late == 0 }, "seed \(seed)")
        #expect(watches.allSatisfy { !$0.isLost }, "seed \(seed)")
        #expect(operations.loader.starts.count > 100, "seed \(seed)")
        return operations.references
    }
}
