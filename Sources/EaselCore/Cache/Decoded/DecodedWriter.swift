import Synchronization

/// Writes decoded pictures once no more come that somebody waits for: those need the processor and the disk more.
///
/// It keeps none of them alive: what nobody shows any more by then, and memory has let go, is not written. It can be made again.
final class DecodedWriter: Sendable {
    private struct Waiting {
        /// The picture, for as long as somebody holds it.
        let image: @Sendable () -> DecodedImage?
        let metadata: CacheMetadata
    }

    private struct State {
        var queue = RestQueue<Waiting>()
        var settling: [CheckedContinuation<Void, Never>] = []
    }

    private let store: DecodedStore
    private let clock: LoadClock
    private let state = Mutex(State())

    init(_ store: DecodedStore, clock: LoadClock) {
        self.store = store
        self.clock = clock
    }

    /// Will write the picture.
    ///
    /// - Returns: whether it will be kept; not where it is too large, say, or nobody else holds it.
    func offer(_ picture: CachedPicture, for key: CacheKey, _ priority: LoadPriority) -> Bool {
        var image = picture.image
        guard store.accepts(image), let reference = image.weakReference() else { return false }
        let waiting = Waiting(image: reference, metadata: picture.metadata)
        let now = clock.now()
        let begins = state.withLock { state in
            // What is known of pictures that have gone is not kept either, where many fly past.
            state.queue.forgetOldest { $0.image() == nil }
            return state.queue.add(waiting, for: key, at: now, isWaitedFor: priority > .low)
        }
        if begins {
            Task(executorPreference: WorkerPool.writes) { await self.work() }
        }
        return true
    }

    /// What waits under `key`.
    func picture(for key: CacheKey) -> CachedPicture? {
        guard let waiting = state.withLock({ $0.queue[key] }), let image = waiting.image() else { return nil }
        return CachedPicture(image: image, metadata: waiting.metadata)
    }

    /// Will not write what waits under `key`, as something newer is about to be written. Returns when nothing older is being
    /// written or removed there, which would take the place of the newer.
    func forget(_ key: CacheKey) async {
        while state.withLock({ state in
            state.queue.forget(key)
            return state.queue.isUnderWay(key)
        }) {
            await rest()
        }
    }

    /// Will not write what waits under `key`.
    func remove(_ key: CacheKey) { state.withLock { $0.queue.remove(key) } }

    /// Will write nothing of what waits.
    func removeAll() { state.withLock { $0.queue.removeAll() } }

    /// Writes what waits now, and returns when it is written.
    func finish() async {
        while true {
            switch state.withLock({ $0.queue.hurriedStep() }) {
            case .take(let key, let waiting, let number): await write(waiting, for: key, number)
            case .wait: await rest()
            case .end: return await rest()
            }
        }
    }

    /// Returns when nothing is being written.
    private func rest() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.queue.isResting { state.settling.append(continuation) }
                return state.queue.isResting
            }
            if isDone { continuation.resume() }
        }
    }

    private func work() async {
        while true {
            let now = clock.now()
            switch state.withLock({ $0.queue.step(at: now) }) {
            case .take(let key, let waiting, let number): await write(waiting, for: key, number)
            case .wait(let pause): try? await clock.sleep(pause)
            case .end: return
            }
        }
    }

    private func write(_ waiting: Waiting, for key: CacheKey, _ number: Int) async {
        if let image = waiting.image() {
            // One that cannot be written is not kept; the store of its original has said why.
            _ = try? await store.store(CachedPicture(image: image, metadata: waiting.metadata), for: key)
        }
        while state.withLock({ $0.queue.finished(number) }) { try? await store.remove(key) }
        let settled = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.queue.isResting else { return [] }
            defer { state.settling = [] }
            return state.settling
        }
        for continuation in settled { continuation.resume() }
    }
}
