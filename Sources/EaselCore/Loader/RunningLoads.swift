import Synchronization

/// The loads of one downloader that have not ended, so that all can be cancelled, and none takes longer than it may.
final class RunningLoads: Sendable {
    /// How one is ended. In a struct, as a dictionary allocates memory for a bare closure.
    private struct Cancel {
        let call: @Sendable () -> Void
    }

    private struct State {
        var cancels: [Int: Cancel] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())
    private let clock: LoadClock

    init(clock: LoadClock) {
        self.clock = clock
    }

    /// Ends every one with `ImageError.cancelled`.
    func cancelAll() {
        for cancel in state.withLock({ Array($0.cancels.values) }) { cancel.call() }
    }

    /// Runs `body`, which ends with the task that waits, by `cancelAll`, or at the deadline: in a task of its own, unless
    /// the task that it is called in belongs to `context`'s work alone and may be cancelled in its place.
    ///
    /// - Throws: what `body` throws; `ImageError.timedOut(.total)` after the deadline.
    func run<Value: Sendable>(
        deadline: Duration?, _ context: LoadContext,
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        if deadline == nil, let owner = context.owner {
            let number = add { owner.cancel() }
            defer { remove(number) }
            return try await body()
        }
        return try await runTask(deadline: deadline, body)
    }

    /// In a task of its own. Not inlined: the loads of a manager without a deadline need no room for it.
    @inline(never)
    private func runTask<Value: Sendable>(
        deadline: Duration?, _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let task = Task(executorPreference: WorkerPool.loads) { () async -> Result<Value, ImageError> in
            do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let number = add { task.cancel() }
        defer { remove(number) }
        let isLate = Flag()
        let timer = deadline.map { deadline in
            Task { [clock] in
                guard (try? await clock.sleep(deadline)) != nil else { return }
                isLate.isSet.store(true, ordering: .relaxed)
                task.cancel()
            }
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        timer?.cancel()
        if case .failure(.cancelled) = outcome, isLate.isSet.load(ordering: .relaxed), !Task.isCancelled {
            throw .timedOut(.total)
        }
        return try outcome.get()
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private func add(_ cancel: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.cancels[state.nextNumber] = Cancel(call: cancel)
            return state.nextNumber
        }
    }

    private func remove(_ number: Int) {
        state.withLock { _ = $0.cancels.removeValue(forKey: number) }
    }
}
