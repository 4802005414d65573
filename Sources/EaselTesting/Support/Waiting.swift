import Synchronization

/// A gate that blocks tasks until a test opens it, for tests without sleeps.
///
/// ```swift
/// let gate = Gate()
/// origin.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
/// let load = Task { try await manager.image(for: origin.url("/slow.png")) }
/// await origin.waitForRequests(1, for: "/slow.png")   // the request has arrived, the response is on hold
/// gate.open()
/// ```
///
/// Gates are equal if they are identical.
public final class Gate: Sendable {
    private let monitor = Monitor(false)

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate is open.
    public var isOpen: Bool { monitor.state }

    /// Resumes all current and future waiters. A gate never closes again.
    public func open() { monitor.update { $0 = true } }

    /// Waits until the gate is open. Returns immediately if it is.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func wait() async throws(CancellationError) {
        guard await monitor.wait(until: { $0 }) else { throw CancellationError() }
    }
}

extension Gate: Equatable {
    /// Returns whether both are the same gate.
    public static func == (first: Gate, second: Gate) -> Bool { first === second }
}

/// A locked value and the tasks that wait for a condition on it. Shared by gates, clocks and logs.
///
/// Waiting blocks no thread and does not poll: the change that makes a condition true resumes its waiters.
package final class Monitor<State: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let condition: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Guarded: Sendable {
        var state: State
        var waiters: [Waiter] = []
        var lastNumber = 0
    }

    private let guarded: Mutex<Guarded>

    package init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    package var state: State { guarded.withLock(\.state) }

    /// Changes the value and resumes, in order, the waiters with a condition that it now meets.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, ready) = guarded.withLock { guarded in
            let result = change(&guarded.state)
            let state = guarded.state
            let ready = guarded.waiters.filter { $0.condition(state) }
            guarded.waiters.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return (result, ready)
        }
        // Outside the lock, since a resumed task can run immediately and access the value.
        for waiter in ready { waiter.continuation.resume(returning: true) }
        return result
    }

    /// Waits until `condition` is true. Returns `false` if the task was cancelled first.
    package func wait(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        let number = guarded.withLock { guarded in
            guarded.lastNumber += 1
            return guarded.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Waiter(number: number, condition: condition, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// A task is marked as cancelled before its handler runs: either the mark is found here, or the handler finds the
    /// waiter.
    private func add(_ waiter: Waiter) {
        let result: Bool? = guarded.withLock { guarded in
            if waiter.condition(guarded.state) { return true }
            if Task.isCancelled { return false }
            guarded.waiters.append(waiter)
            return nil
        }
        if let result { waiter.continuation.resume(returning: result) }
    }

    private func cancel(_ number: Int) {
        let cancelled = guarded.withLock { guarded -> Waiter? in
            guard let index = guarded.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return guarded.waiters.remove(at: index)
        }
        cancelled?.continuation.resume(returning: false)
    }
}

/// Waits for a state that no event announces. The condition is checked once a millisecond, because many tests wait at
/// the same time and share their processors with the work that they wait for.
///
/// - Throws: `ConditionTimeout` if the condition is still false after `timeout`; `CancellationError`.
package func until(
    timeout: Duration = .seconds(30), isolation: isolated (any Actor)? = #isolation, file: String = #fileID,
    line: Int = #line, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + timeout
    while try await !condition() {
        guard .now < end else { throw ConditionTimeout(file: file, line: line, timeout: timeout) }
        try await Task.sleep(for: .milliseconds(1))
    }
}

/// A condition that did not become true in time.
package struct ConditionTimeout: Error, CustomStringConvertible {
    let file: String
    let line: Int
    let timeout: Duration

    package var description: String { "The condition at \(file):\(line) is still false after \(timeout)." }
}
