import Synchronization

/// A wait that can be ended from elsewhere, besides by its own task's cancellation.
final class Download: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func cancel() {
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }

    /// Runs `body`, whose task is cancelled by `cancel()`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let task = Task(executorPreference: WorkerPool.loads) { () async -> Result<Value, ImageError> in
            do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
        }
        let isCancelled = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}

/// The last preview that came and was not worked on.
final class LatestPreview: Sendable {
    private let image = Mutex<DecodedImage?>(nil)

    func put(_ image: DecodedImage) {
        self.image.withLock { $0 = image }
    }

    func take() -> DecodedImage? {
        image.withLock { exchange(&$0, with: nil) }
    }
}
