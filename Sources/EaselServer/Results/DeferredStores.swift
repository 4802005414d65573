#if Server
import EaselCore
import Synchronization

/// The results that a shared tier did not accept when they were made, and that are stored later, one at a time.
///
/// Only their keys are kept. Without this, an outage of a tier would cost a second time when another server needs the
/// results that were made meanwhile.
final class DeferredStores: Sendable {
    private struct State {
        var keys: [ResultKey] = []
        var task: Task<Void, Never>?
        var isShutDown = false
    }

    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(8)

    private let state = Mutex(State())
    private let capacity: Int
    private let clock: LoadClock
    private let store: @Sendable (ResultKey) async -> Bool

    /// - Parameter store: Stores the result of a key. Returns `false` to be called again later.
    init(
        capacity: Int = 10_000, clock: LoadClock = LoadClock(ContinuousClock()),
        _ store: @escaping @Sendable (ResultKey) async -> Bool
    ) {
        self.capacity = capacity
        self.clock = clock
        self.store = store
    }

    deinit { shutDown() }

    var count: Int { state.withLock { $0.keys.count } }

    /// Adds a key, unless there are too many.
    func add(_ key: ResultKey) {
        state.withLock { state in
            guard !state.isShutDown, state.keys.count < capacity else { return }
            state.keys.append(key)
            guard state.task == nil else { return }
            state.task = Task { [weak self, clock] in
                var pause = Self.firstPause
                while (try? await clock.sleep(pause)) != nil {
                    guard let isProgressing = await self?.storeAll() else { return }
                    pause = isProgressing ? Self.firstPause : min(pause * 2, Self.longestPause)
                }
            }
        }
    }

    /// Forgets the keys.
    func shutDown() {
        let task = state.withLock { state in
            state.isShutDown = true
            state.keys = []
            return state.task.take()
        }
        task?.cancel()
    }

    /// Stores results until one is not accepted. Returns whether any was, and `nil` if none is left.
    private func storeAll() async -> Bool? {
        var isProgressing = false
        while let key = nextKey() {
            guard await store(key) else {
                // The others come first, in case only this one is not accepted.
                state.withLock { if !$0.isShutDown { $0.keys.insert(key, at: 0) } }
                return isProgressing
            }
            isProgressing = true
        }
        return nil
    }

    /// Returns the newest key, whose result is most likely in memory. Without one, the task ends.
    private func nextKey() -> ResultKey? {
        state.withLock { state in
            if let key = state.keys.popLast() { return key }
            state.task = nil
            return nil
        }
    }
}
#endif
