import Synchronization

/// A queue that stores decoded images in a `DecodedStore` later, when no load with more than low priority runs.
///
/// An image is stored 150 ms after the last one whose load has more than low priority, or five seconds after the
/// oldest. Until then the queue refers to it weakly: an image that is released everywhere else is not stored. Of
/// several images for one key the last is stored.
///
/// All changes of the store run one after the other, so that a store that began before a removal does not follow it.
final class DecodedQueue: Sendable {
    private struct Waiting {
        let image: @Sendable () -> DecodedImage?
        let metadata: CacheMetadata
    }

    private struct State {
        var waiting: [CacheKey: Waiting] = [:]
        /// The time when the oldest waiting image was added.
        var oldest = Duration.zero
        /// The time when the last image of more than low priority was added.
        var latest = Duration.seconds(-1)
        var isRunning = false

        /// Returns the wait before the next image is stored, or `nil` if there is none.
        mutating func pause(at now: Duration) -> Duration? {
            isRunning = !waiting.isEmpty
            guard isRunning else { return nil }
            return max(.zero, min(latest + .milliseconds(150), oldest + .seconds(5)) - now)
        }
    }

    let store: DecodedStore
    private let clock: LoadClock
    private let changes = SerialQueue()
    private let state = Mutex(State())
    private static let limit = 4096

    init(_ store: DecodedStore, clock: LoadClock) {
        self.store = store
        self.clock = clock
    }

    /// Adds an image. Returns `false` if it will not be stored: it is too large, it is not referenced elsewhere, or too
    /// many images wait.
    func add(_ cached: CachedImage, for key: CacheKey, priority: LoadPriority) -> Bool {
        var image = cached.image
        guard store.header(of: image) != nil, let reference = image.weakReference() else { return false }
        let now = clock.now()
        let (isAdded, isFirst) = state.withLock { state in
            if state.waiting.count >= Self.limit { state.waiting = state.waiting.filter { $0.value.image() != nil } }
            guard state.waiting.count < Self.limit else { return (false, false) }
            if state.waiting.isEmpty { state.oldest = now }
            state.waiting[key] = Waiting(image: reference, metadata: cached.metadata)
            if priority > .low { state.latest = now }
            defer { state.isRunning = true }
            return (true, !state.isRunning)
        }
        if isFirst {
            Task(executorPreference: WorkerPool.writes, priority: .low) { await self.storeWhenIdle() }
        }
        return isAdded
    }

    func image(for key: CacheKey) -> CachedImage? {
        guard let waiting = state.withLock({ $0.waiting[key] }), let image = waiting.image() else { return nil }
        return CachedImage(image: image, metadata: waiting.metadata)
    }

    func storeNow(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        state.withLock { $0.waiting[key] = nil }
        return try await changes.run { [store] () throws(ImageError) in try await store.store(image, for: key) }
    }

    func remove(_ key: CacheKey) async throws(ImageError) {
        state.withLock { $0.waiting[key] = nil }
        try await changes.run { [store] () throws(ImageError) in try await store.files.remove(key) }
    }

    func removeAll(of key: CacheKey) async throws(ImageError) {
        let url = key.urlDigest
        state.withLock { state in
            for key in state.waiting.keys where key.urlDigest == url { state.waiting[key] = nil }
        }
        try await changes.run { [store] () throws(ImageError) in try await store.files.removeAll(of: key) }
    }

    func removeAll() async throws(ImageError) {
        state.withLock { $0.waiting = [:] }
        try await changes.run { [store] () throws(ImageError) in try await store.files.removeAll() }
    }

    /// Stores all waiting images, and returns when they are stored.
    func finish() async {
        while await storeNext() {}
    }

    private func storeWhenIdle() async {
        while let pause = state.withLock({ $0.pause(at: clock.now()) }) {
            if pause > .zero { try? await clock.sleep(pause) } else { _ = await storeNext() }
        }
    }

    private func storeNext() async -> Bool {
        await changes.run { [self] in
            guard let (key, waiting) = state.withLock({ $0.waiting.popFirst() }) else { return false }
            if let image = waiting.image() {
                // An error has no effect: the store of the original reports it.
                _ = try? await store.store(CachedImage(image: image, metadata: waiting.metadata), for: key)
            }
            return true
        }
    }
}
