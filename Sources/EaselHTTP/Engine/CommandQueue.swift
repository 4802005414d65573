/// The commands for libcurl's thread, in order, and the life of that thread.
///
/// Pure: it takes events and returns actions. The thread starts with the first command and ends with `stop`, for good.
/// `Waiter` stands for a caller that waits for that end.
struct CommandQueue<Command, Waiter> {
    /// What a new command requires.
    enum PostAction: Equatable {
        /// This is the first command: start the thread.
        case startThread
        /// The queue was empty: wake the thread, which may wait for events.
        case wake
        /// An earlier command has woken the thread.
        case none
        /// The thread has ended or is about to; the command is dropped.
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
    mutating func startFailed() {
        phase = .idle
        commands = []
    }

    /// Hands all commands to the thread; `stops` is true if they are the last.
    mutating func takeAll() -> (commands: [Command], stops: Bool) {
        defer { commands = [] }
        return (commands, phase != .running)
    }

    /// Ends the thread. Returns whether it must be woken, and the waiter if there is nothing to wait for.
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

    /// Records the end of the thread, and returns the callers that wait for it.
    mutating func ended() -> [Waiter] {
        phase = .ended
        defer { waiters = [] }
        return waiters
    }
}
