import Synchronization

/// Holds tasks back until a test lets them go: what a test uses in place of a sleep.
///
/// ```swift
/// let gate = Gate()
/// origin.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.hold(gate)])
/// let load = Task { try await manager.image(for: origin.url("/slow.png")) }
/// await origin.waitForRequests(1, for: "/slow.png")   // the request is there, its answer is not
/// gate.open()
/// ```
///
/// Two gates are equal when they are the same one.
public final class Gate: Sendable {
    private let monitor = Monitor(false)

    /// A closed gate.
    public init() {}

    /// Whether it has been opened.
    public var isOpen: Bool { monitor.state }

    /// Lets go all who wait and all who come later. A gate never closes again.
    public func open() {
        monitor.update { $0 = true }
    }

    /// Waits until the gate is open; at once where it is.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before.
    public func wait() async throws(CancellationError) {
        guard await monitor.wait(until: { $0 }) else { throw CancellationError() }
    }
}

extension Gate: Equatable {
    /// Whether both are the same gate.
    public static func == (first: Gate, second: Gate) -> Bool { first === second }
}

/// A value behind a lock, and the tasks that wait until it has become what they want: what gates, clocks and logs have
/// in common.
///
/// Waiting costs no thread and no time: the change that makes a condition true resumes those who wait for it.
final class Monitor<State: Sendable>: Sendable {
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

    init(_ state: State) {
        guarded = Mutex(Guarded(state: state))
    }

    /// The value now.
    var state: State { guarded.withLock(\.state) }

    /// Changes the value and resumes, in the order in which they came, those whose condition it now meets.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, ready) = guarded.withLock { guarded in
            let result = change(&guarded.state)
            let state = guarded.state
            let ready = guarded.waiters.filter { $0.condition(state) }
            guarded.waiters.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return (result, ready)
        }
        // Outside the lock: a resumed task may run at once and come back here.
        for waiter in ready { waiter.continuation.resume(returning: true) }
        return result
    }

    /// Waits until `condition` holds. `false` says that the task was cancelled first.
    func wait(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        let number = guarded.withLock { guarded in
            guarded.lastNumber += 1
            return guarded.lastNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enroll(Waiter(number: number, condition: condition, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// A task is marked as cancelled before its handler runs. So either the mark is seen here, or the handler finds
    /// the waiter enrolled.
    private func enroll(_ waiter: Waiter) {
        let answer: Bool? = guarded.withLock { guarded in
            if waiter.condition(guarded.state) { return true }
            if Task.isCancelled { return false }
            guarded.waiters.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    private func cancel(_ number: Int) {
        let cancelled = guarded.withLock { guarded -> Waiter? in
            guard let index = guarded.waiters.firstIndex(where: { $0.number == number }) else { return nil }
            return guarded.waiters.remove(at: index)
        }
        cancelled?.continuation.resume(returning: false)
    }
}

/// Waits on the main actor until `condition` holds, or until the time limit of the test ends it. It looks seldom, because many
/// tests do, and they share their cores with the work that they wait for.
@MainActor
package func until(_ condition: @MainActor () throws -> Bool) async rethrows {
    while try !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}
