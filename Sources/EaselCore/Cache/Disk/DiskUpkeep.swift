import Synchronization

/// The work that keeps a folder within its limits, one piece at a time: counting and trimming.
///
/// A store that passed a limit waits for its trim; what a store begins behind its caller's back is announced, so that
/// `settle` can wait for it.
final class DiskUpkeep: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// Pieces that were begun and have not ended.
        var announced = 0
        var settling: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Runs `work` on a file thread when its turn comes, and returns when it is done.
    func run<Value: Sendable>(_ work: @Sendable () -> Value) async -> Value {
        await turn()
        let value = await WorkerPool.writes.run(work)
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.isBusy = false
            return nil
        }
        next?.resume()
        return value
    }

    /// Runs `work` behind the caller's back.
    func begin(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.announced += 1 }
        Task {
            await run(work)
            let settled = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.announced -= 1
                guard state.announced == 0 else { return [] }
                defer { state.settling = [] }
                return state.settling
            }
            for continuation in settled { continuation.resume() }
        }
    }

    /// Returns when nothing that was begun is left.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.announced > 0 { state.settling.append(continuation) }
                return state.announced == 0
            }
            if isSettled { continuation.resume() }
        }
    }

    private func turn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isBusy { state.waiting.append(continuation) }
                defer { state.isBusy = true }
                return !state.isBusy
            }
            if isFree { continuation.resume() }
        }
    }
}
