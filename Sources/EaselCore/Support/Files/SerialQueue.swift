import Synchronization

/// Runs pieces of work on the threads for writes: one at a time, in the order in which they were added.
final class SerialQueue: Sendable {
    /// Returns when the piece that was added last is done.
    private let last = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Adds work, and returns its value when it is done. Cancellation does not stop the work.
    func run<Value: Sendable, Failure>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await add(work).value.get()
    }

    /// Adds work, and does not wait for it.
    func begin(_ work: @escaping @Sendable () async -> Void) { _ = add(work) }

    /// Returns when everything that was added before is done.
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
