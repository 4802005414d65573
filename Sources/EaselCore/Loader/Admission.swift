import Synchronization

/// Lets a bounded number of pieces of work run at a time: an `AdmissionQueue` with those who wait in it.
final class Admission: Sendable {
    private struct State {
        var queue: AdmissionQueue<Int>
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextNumber = 0
    }

    private let state: Mutex<State>

    init(_ queue: AdmissionQueue<Int>) {
        state = Mutex(State(queue: queue))
    }

    /// Runs `body` when its turn comes. Its priority is the context's, live, while it waits.
    ///
    /// - Throws: `ImageError.cancelled` when the task is cancelled before its turn, and what `body` throws.
    func run<Value>(
        group: String = "", _ context: LoadContext,
        _ body: (_ waited: Duration) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        let started = ContinuousClock.now
        defer { update { $0.leave(number) } }
        try await context.observingPriority({
            self.update { $0.reprioritise(number, context.priority) }
        }) { () async throws(ImageError) in
            await turn(number, group: group, context)
        }
        if Task.isCancelled { throw .cancelled }
        return try await body(.now - started)
    }

    var limit: Int {
        get { state.withLock { $0.queue.limit } }
        set { update { $0.setLimit(newValue) } }
    }

    var isSuspended: Bool {
        get { state.withLock { $0.queue.isSuspended } }
        set { update { $0.setSuspended(newValue) } }
    }

    var runningCount: Int { state.withLock { $0.queue.runningCount } }
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Returns when it is the number's turn, or its task is cancelled.
    private func turn(_ number: Int, group: String, _ context: LoadContext) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters[number] = continuation }
                update { $0.enqueue(number, group: group, priority: context.priority) }
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    /// The waiter leaves; it is let go to find that it was cancelled.
    private func abandon(_ number: Int) {
        update { $0.leave(number) }
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    private func update(_ change: (inout AdmissionQueue<Int>) -> [Int]) {
        let admitted = state.withLock { state in
            change(&state.queue).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for waiter in admitted { waiter.resume() }
    }
}
