/// The ordered commands for libcurl's thread, and the lifecycle of that thread.
///
/// Pure: it takes events and returns actions. The thread starts with the first command, and ends permanently with
/// `stop`. `Waiter` is a caller that waits for the end.
struct CommandQueue<Command, Waiter> {
    enum PostAction: Equatable {
        /// Starts the thread: this is the first command.
        case startThread
        /// Wakes the thread: the queue was empty.
        case wake
        /// Nothing: an earlier command has woken the thread.
        case none
        /// Drops the command: the thread has ended or is about to.
        case refuse
    }

    private enum Phase {
        case idle
        case running
        case stopping
        case ended
    }

    private var phase = Phase.idle
    private var commands: [Command] = []
    private var waiters: [Waiter] = []

    /// Adds a command. A command for a running transfer does not start the thread.
    mutating func post(_ command: Command, startsThread: Bool = true) -> PostAction {
        switch phase {
        case .idle:
            guard startsThread else { return .refuse }
            phase = .running
            commands.append(command)
            return .startThread
        case .running:
            commands.append(command)
            return commands.count == 1 ? .wake : .none
        case .stopping, .ended:
            return .refuse
        }
    }

    /// Restores the initial state after the thread could not be started.
    mutating func recordStartFailure() {
        phase = .idle
        commands = []
    }

    /// Returns all commands for the thread; `stops` is true if they are the last.
    mutating func takeAll() -> (commands: [Command], stops: Bool) {
        defer { commands = [] }
        return (commands, phase != .running)
    }

    /// Ends the thread. Returns whether it must be woken, and the waiter if the thread has already ended.
    mutating func stop(_ waiter: Waiter?) -> (wakes: Bool, released: Waiter?) {
        switch phase {
        case .idle, .ended:
            phase = .ended
            return (false, waiter)
        case .running, .stopping:
            let wakes = phase == .running
            phase = .stopping
            if let waiter { waiters.append(waiter) }
            return (wakes, nil)
        }
    }

    /// Records the end of the thread and returns the callers that wait for it.
    mutating func finishStop() -> [Waiter] {
        phase = .ended
        defer { waiters = [] }
        return waiters
    }
}
