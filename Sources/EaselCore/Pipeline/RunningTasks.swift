import Synchronization

/// The loads of one manager that have not ended.
final class RunningTasks: Sendable {
    private struct State {
        var loads: [ObjectIdentifier: (task: ImageTask, observed: ObservedLoad?)] = [:]
        var isShutDown = false
    }

    let pipeline: LoadPipeline
    private let state = Mutex(State())
    /// The same as in `state`, for memory hits, which need no lock.
    private let isClosed = Atomic(false)
    private let lastNumber = Atomic(0)

    init(_ pipeline: LoadPipeline) { self.pipeline = pipeline }

    var isEmpty: Bool { state.withLock { $0.loads.isEmpty } }
    var isShutDown: Bool { isClosed.load(ordering: .acquiring) }
    var all: [ImageTask] { state.withLock { $0.loads.values.map(\.task) } }

    /// Returns a number for a load that is not shared.
    func nextNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

    /// Adds a load. Returns `false` after `shutDown()`.
    func begin(_ task: ImageTask) -> Bool {
        guard !isShutDown else { return false }
        let observed = pipeline.observation.begin(task.request)
        let isAdmitted = state.withLock { state in
            if !state.isShutDown { state.loads[ObjectIdentifier(task)] = (task, observed) }
            return !state.isShutDown
        }
        if !isAdmitted { pipeline.observation.end(observed, .failure(.invalidated)) }
        return isAdmitted
    }

    /// Removes a load.
    func end(_ task: ImageTask, _ outcome: Result<ImageResponse, ImageError>) {
        guard let load = state.withLock({ $0.loads.removeValue(forKey: ObjectIdentifier(task)) }) else { return }
        pipeline.observation.end(load.observed, outcome.map(\.summary))
    }

    /// Admits no more loads.
    func shutDown() {
        state.withLock { $0.isShutDown = true }
        isClosed.store(true, ordering: .releasing)
    }
}

/// Passes calls on until it is closed: when `close()` has returned, no call is in progress and none begins.
final class ProgressGate: Sendable {
    private struct State {
        var isClosed = false
        var callCount = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Calls `body` outside of the lock, unless the gate is closed.
    func pass(_ body: () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.callCount += 1 }
            return !state.isClosed
        }
        guard isOpen else { return }
        body()
        let waiter = state.withLock { state in
            state.callCount -= 1
            return state.callCount == 0 ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Closes the gate, and waits for the calls in progress.
    func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                if state.callCount > 0 { state.waiter = continuation }
                return state.callCount == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
