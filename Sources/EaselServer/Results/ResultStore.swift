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

    init(memoryBytes: Int, disk: ImageCache?, shared: [any SharedTier]) {
        var configuration = MemoryCacheConfiguration(maximumCost: memoryBytes)
        configuration.maximumEntryShare = 0.125
        memory = MemoryCache(configuration)
        self.disk = disk
        self.shared = shared
    }

    /// Returns the result in memory.
    func inMemory(_ key: ResultKey) -> MemoryResult? { memory.value(for: key.memoryKey) }

    func keepInMemory(_ result: MemoryResult, for key: ResultKey) {
        guard result.result.lifetime.visibility == .everyone else { return }
        memory.store(result, cost: result.cost, for: key.memoryKey)
    }

    /// Returns the result on disk.
    func onDisk(_ key: ResultKey) async -> ImageResult? {
        guard let file = try? await disk?.file(for: key.diskKey) else { return nil }
        return ImageResult(body: ByteBuffer(bytes: file.data), fields: file.metadata.fields)
    }

    /// Returns the result of the first shared tier that has it. A tier that fails is skipped.
    ///
    /// - Parameter everywhere: Whether all tiers are asked, and not only the fastest.
    func inShared(_ key: ResultKey, everywhere: Bool = true) async -> (result: ImageResult, origin: ResultOrigin)? {
        for tier in everywhere ? shared[...] : shared.prefix(1) {
            guard let value = try? await tier.value(for: SharedKey(key.text)), let result = ImageResult(value) else {
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
        guard !shared.isEmpty, result.lifetime.visibility == .everyone else { return }
        // A stale result saves work too: if its source has not changed, it is used again.
        let fresh = result.lifetime.freshUntil.timeIntervalSinceNow
        let lifetime = Duration.seconds(min(max(fresh, 0) + Self.staleTime, Self.longestTime))
        for tier in shared {
            try? await tier.store(value, for: SharedKey(key.text), lifetime: lifetime, tags: [key.source])
        }
    }

    /// Removes all results of a source. Returns whether every shared tier did.
    func removeAll(of source: String) async -> Bool {
        await writes.finish()
        memory.removeAll { $0.source == source }
        try? await disk?.extended?.removeURL(of: ResultKey.diskKey(ofSource: source))
        var isComplete = true
        for tier in shared where (try? await tier.removeAll(taggedWith: source)) == nil { isComplete = false }
        return isComplete
    }

    /// Waits until the writes that have begun have ended.
    func finish() async { await writes.finish() }

    private static let staleTime = 86_400.0
    private static let longestTime = 30 * 86_400.0
}
#endif
