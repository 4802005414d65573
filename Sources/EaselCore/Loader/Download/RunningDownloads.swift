import Synchronization

/// The downloads in progress, which can be cancelled together.
final class RunningDownloads: Sendable {
    private let tasks = Mutex<[ObjectIdentifier: CancellableTask]>([:])
    private let clock: LoadClock

    init(clock: LoadClock) { self.clock = clock }

    /// Ends every download with `ImageError.cancelled`.
    func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }

    /// Runs `body` until it ends, the calling task is cancelled, `cancelAll` is called, or the deadline passes.
    ///
    /// - Throws: The errors of `body`; `ImageError.timedOut(.total)` after the deadline.
    func run<Value: Sendable>(
        deadline: Duration?, _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let task = CancellableTask()
        let timer = deadline.map { deadline in
            Task { [clock] in
                guard (try? await clock.sleep(deadline)) != nil else { return }
                task.cancel(throwing: .timedOut(.total))
            }
        }
        tasks.withLock { $0[ObjectIdentifier(task)] = task }
        defer {
            timer?.cancel()
            tasks.withLock { $0[ObjectIdentifier(task)] = nil }
        }
        return try await task.run(body)
    }
}

/// An operation in its own task, which other threads can cancel.
final class CancellableTask: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var error: ImageError?
    }

    private let state = Mutex(State())

    /// Cancels the operation. `run` then throws `error` instead of `ImageError.cancelled`.
    func cancel(throwing error: ImageError = .cancelled) {
        let cancel = state.withLock { state in
            state.error = state.error ?? error
            return state.cancel
        }
        cancel?()
    }

    /// Runs `body`. Call it once.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let task = Task(executorPreference: WorkerPool.loads) { () async -> Result<Value, ImageError> in
            do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let isCancelled = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.error != nil
        }
        if isCancelled { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure(let failure) = result, failure.code == .cancelled, !Task.isCancelled,
            let error = state.withLock({ $0.error })
        {
            throw error
        }
        return try result.get()
    }
}
