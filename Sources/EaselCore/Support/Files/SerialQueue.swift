import Synchronization

/// A queue that runs work on the threads for writes, one at a time, in order.
final class SerialQueue: Sendable {
    /// Waits for the work that was added last.
    private let last = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Adds work, and waits for it. Cancellation does not stop the work.
    func run<Value: Sendable, Failure>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await add(work).value.get()
    }

    /// Adds work.
    func begin(_ work: @escaping @Sendable () async -> Void) { _ = add(work) }

    /// Waits for all work that was added.
    func settle() async { await last.withLock { $0 }?() }

    private func add<Value: Sendable, Failure>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Task<Result<Value, Failure>, Never> {
        last.withLock { last in
            let task = Task(executorPreference: WorkerPool.writes) { [previous = last] () -> Result<Value, Failure> in
                await previous?()
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }
            last = { _ = await task.value }
            return task
        }
    }
}
