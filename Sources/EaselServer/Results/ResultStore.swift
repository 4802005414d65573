#if Server
import EaselCore
import EaselFoundation
import EaselServerTiers
import HTTPTypes
import NIOCore
import Synchronization

/// A result in memory, with the fields of its responses.
final class MemoryResult: Sendable {
    let result: ImageResult
    let source: String
    /// The fields of responses in a second, since `Cache-Control` changes with it.
    private let fields: Mutex<(second: Int, fields: HTTPFields)>

    init(_ result: ImageResult, source: String, vary: String?, rules: ResponseRules) {
        self.result = result
        self.source = source
        fields = Mutex((-1, rules.fields(of: result, vary: vary)))
    }

    /// Returns the fields of a whole response.
    func fields(at now: Date) -> HTTPFields {
        let second = Int(now.timeIntervalSince1970)
        return fields.withLock { current in
            if current.second != second {
                current.fields[.cacheControl] = ResponseRules.cacheControl(of: result.lifetime, now: now)
                current.second = second
            }
            return current.fields
        }
    }

    var cost: Int { result.body.readableBytes + 1024 }
}

/// Where a result was found.
enum ResultOrigin: Sendable, Hashable {
    case memory
    case disk
    /// A shared tier, by its name.
    case shared(String)
    case made

    var name: String {
        switch self {
        case .memory: "memory"
        case .disk: "disk"
        case .shared(let name): name
        case .made: "made"
        }
    }
}

/// Results in memory, on disk, and in the caches that several servers share.
final class ResultStore: Sendable {
    let memory: MemoryCache<MemoryResult>
    let disk: ImageCache?
    let shared: [any SharedTier]
    /// Writes in progress, which the end of the server waits for.
    private let writes = PendingTasks()
    /// The results that the shared tiers did not accept, in the order of the tiers.
    private let deferred: [DeferredStores]

    init(
        memoryBytes: Int, disk: ImageCache?, shared: [any SharedTier], clock: LoadClock = LoadClock(ContinuousClock())
    ) {
        var configuration = MemoryCacheConfiguration(maximumCost: memoryBytes)
        configuration.maximumEntryShare = 0.125
        let memory = MemoryCache<MemoryResult>(configuration)
        self.memory = memory
        self.disk = disk
        self.shared = shared
        deferred = shared.map { tier in
            DeferredStores(clock: clock) { key in
                var result = memory.value(for: key.memoryKey)?.result
                if result == nil { result = await Self.onDisk(key, disk) }
                guard let result else { return true }
                return await Self.store(result, as: result.sharedValue, for: key, in: tier)
            }
        }
    }

    /// The number of results that a shared tier has not accepted yet.
    var deferredCount: Int { deferred.reduce(0) { $0 + $1.count } }

    /// Returns the result in memory.
    func inMemory(_ key: ResultKey) -> MemoryResult? { memory.value(for: key.memoryKey) }

    func keepInMemory(_ result: MemoryResult, for key: ResultKey) {
        guard result.result.lifetime.visibility == .everyone else { return }
        memory.store(result, cost: result.cost, for: key.memoryKey)
    }

    /// Returns the result on disk.
    func onDisk(_ key: ResultKey) async -> ImageResult? { await Self.onDisk(key, disk) }

    private static func onDisk(_ key: ResultKey, _ disk: ImageCache?) async -> ImageResult? {
        guard let file = try? await disk?.file(for: key.diskKey) else { return nil }
        return ImageResult(body: ByteBuffer(bytes: file.data), fields: file.metadata.fields)
    }

    /// Returns the result of the first shared tier that has it. A tier that fails is skipped.
    ///
    /// - Parameter everywhere: Whether all tiers are asked, and not only the fastest.
    func inShared(_ key: ResultKey, everywhere: Bool = true) async -> (result: ImageResult, origin: ResultOrigin)? {
        for tier in everywhere ? shared[...] : shared.prefix(1) {
            guard let value = try? await tier.value(for: key.sharedKey), let result = ImageResult(value) else {
                continue
            }
            return (result, .shared(tier.name))
        }
        return nil
    }

    /// Writes a result to the disk, after the call.
    func writeToDisk(_ result: ImageResult, for key: ResultKey) {
        guard let disk, result.lifetime.visibility == .everyone else { return }
        writes.run {
            let metadata = CacheMetadata(fields: result.fields)
            // A cache that cannot be written does not fail a request.
            try? await disk.store(Data(result.body.readableBytesView), metadata: metadata, for: key.diskKey)
        }
    }

    /// Writes a result to the shared tiers, after the call.
    func share(_ result: ImageResult, for key: ResultKey) {
        guard !shared.isEmpty, result.lifetime.visibility == .everyone else { return }
        writes.run { [self] in await shareNow(result, as: result.sharedValue, for: key) }
    }

    /// Writes a result to the shared tiers, as its `sharedValue`.
    func shareNow(_ result: ImageResult, as value: SharedValue, for key: ResultKey) async {
        guard result.lifetime.visibility == .everyone else { return }
        for (tier, deferred) in zip(shared, deferred) where await !Self.store(result, as: value, for: key, in: tier) {
            deferred.add(key)
        }
    }

    /// Stores a result in a tier. Returns `false` if the tier may accept it later.
    private static func store(
        _ result: ImageResult, as value: SharedValue, for key: ResultKey, in tier: any SharedTier
    ) async -> Bool {
        // A stale result saves work too: if its source has not changed, it is used again.
        let fresh = result.lifetime.freshUntil.timeIntervalSinceNow
        let lifetime = Duration.seconds(min(max(fresh, 0) + staleTime, longestTime))
        do throws(TierError) {
            try await tier.store(value, for: key.sharedKey, lifetime: lifetime)
            return true
        } catch {
            return ![.unreachable, .timedOut, .unavailable, .busy].contains(error.code)
        }
    }

    /// Removes all results of a source. Returns whether every shared tier did.
    func removeAll(of source: String) async -> Bool {
        await writes.finish()
        memory.removeAll { $0.source == source }
        try? await disk?.extended?.removeURL(of: ResultKey.diskKey(ofSource: source))
        var isComplete = true
        for tier in shared where (try? await tier.removeAll(inGroup: source)) == nil { isComplete = false }
        return isComplete
    }

    /// Waits until the writes that have begun have ended.
    func finish() async { await writes.finish() }

    /// Forgets the results that the shared tiers did not accept.
    func shutDown() { for deferred in deferred { deferred.shutDown() } }

    private static let staleTime = 86_400.0
    private static let longestTime = 30 * 86_400.0
}
#endif
