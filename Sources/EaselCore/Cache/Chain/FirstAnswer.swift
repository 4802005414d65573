import Synchronization

/// A question to several at the same time: it ends with the first answer, when all have none, or when nobody waits any more, and
/// waits for none of those that are slower, even where they do not listen to cancellation.
final class FirstAnswer<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value?, ImageError>

    private struct State {
        var waiting: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var tasks: [Task<Void, Never>] = []
        var left: Int
        /// The errors that came instead of answers, by the place of who failed.
        var failures: [Int: ImageError] = [:]
    }

    private let state: Mutex<State>

    private init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    /// Asks all of `caches`.
    ///
    /// - Throws: the error of the first of them that failed, where none has an answer. `ImageError.cancelled`.
    static func race(
        _ caches: [any ImageCaching],
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        guard !caches.isEmpty else { return nil }
        let race = FirstAnswer(caches.count)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                race.begin(continuation, caches, body)
            }
        } onCancel: {
            race.end { _ in .failure(.cancelled) }
        }
        return try outcome.get()
    }

    private func begin(
        _ continuation: CheckedContinuation<Outcome, Never>, _ caches: [any ImageCaching],
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) {
        let over = state.withLock { state -> Outcome? in
            if let outcome = state.outcome { return outcome }
            state.waiting = continuation
            // Inside the lock, so that whoever ends it finds all of them; a new task only queues.
            state.tasks = caches.enumerated().map { index, cache in
                Task {
                    self.came(await ImageCacheChain.result { () throws(ImageError) in try await body(cache) }, index)
                }
            }
            return nil
        }
        if let over { continuation.resume(returning: over) }
    }

    private func came(_ outcome: Outcome, _ index: Int) {
        end { state in
            state.left -= 1
            switch outcome {
            case .success(.some): return outcome
            case .success(nil): break
            case .failure(let error): state.failures[index] = error
            }
            guard state.left == 0 else { return nil }
            let first = state.failures.min { $0.key < $1.key }?.value
            return first.map { .failure($0) } ?? .success(nil)
        }
    }

    /// Ends the question where `decide` says so, unless it has ended.
    private func end(_ decide: (inout State) -> Outcome?) {
        let (waiting, outcome, tasks) = state.withLock { state in
            guard state.outcome == nil, let outcome = decide(&state) else {
                return (CheckedContinuation<Outcome, Never>?.none, Outcome?.none, [Task<Void, Never>]())
            }
            state.outcome = outcome
            defer {
                state.waiting = nil
                state.tasks = []
            }
            return (state.waiting, outcome, state.tasks)
        }
        for task in tasks { task.cancel() }
        if let outcome { waiting?.resume(returning: outcome) }
    }
}
