import Synchronization

/// The downloads in progress. Cancels all of them, or one that reaches its deadline.
final class RunningDownloads: Sendable {
    private struct State {
        var cancellations: [Int: @Sendable () -> Void] = [:]
        var nextNumber = 0
    }

    private let state = Mutex(State())
    private let clock: LoadClock

    init(clock: LoadClock) { self.clock = clock }

    /// Ends every download with `ImageError.cancelled`.
    func cancelAll() {
        for cancel in state.withLock({ Array($0.cancellations.values) }) { cancel() }
    }

    /// Runs `body` until it ends, the calling task is cancelled, `cancelAll` is called, or the deadline passes.
    ///
    /// - Throws: What `body` throws; `ImageError.timedOut(.total)` after the deadline.
    func run<Value: Sendable>(
        deadline: Duration?, _ context: LoadContext,
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        if deadline == nil, let cancel = context.cancelTask {
            return try await whileCancellable(by: cancel, body)
        }
        let task = CancellableTask()
        let timer = deadline.map { deadline in
            Task { [clock] in
                guard (try? await clock.sleep(deadline)) != nil else { return }
                task.cancel(throwing: .timedOut(.total))
            }
        }
        defer { timer?.cancel() }
        return try await whileCancellable(by: { task.cancel() }) { () throws(ImageError) in try await task.run(body) }
    }

    private func whileCancellable<Value>(
        by cancel: @escaping @Sendable () -> Void, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.cancellations[state.nextNumber] = cancel
            return state.nextNumber
        }
        defer { state.withLock { _ = $0.cancellations.removeValue(forKey: number) } }
        return try await body()
    }
}

/// An operation in a task of its own, which can be cancelled from elsewhere too.
final class CancellableTask: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var error: ImageError?
    }

    private let state = Mutex(State())

    /// Cancels the operation. `run` then throws `error` in place of `ImageError.cancelled`.
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
        if case .failure(.cancelled) = result, !Task.isCancelled, let error = state.withLock({ $0.error }) {
            throw error
        }
        return try result.get()
    }
}
