/// What everyone asks of libcurl's thread, in order, the life of that thread, and who works in its place while it sleeps.
///
/// Pure: it takes events and says what to do. The thread begins with the first command and ends with `stop`, for good.
/// `Waiter` stands for whoever waits for that end.
struct CommandQueue<Command, Waiter> {
    /// What a new command leads to.
    enum PostAction: Equatable {
        /// This is the first one: start the thread.
        case startThread
        /// The thread sleeps.
        case wake
        /// The thread will look before it sleeps.
        case none
        /// The thread has ended or is about to; the command is not kept.
        case refuse
    }

    private enum Phase {
        case idle
        case running
        case stopping
        case ended
    }

    private var phase = Phase.idle
    /// Whether the thread sleeps, or is about to: only then has it to be woken, which costs it and us more than the command.
    private var isResting = false
    /// Whether somebody works in the thread's place, and whether the thread has woken meanwhile and waits for the end of that.
    private var isBorrowed = false
    private var isAwaited = false
    private var commands: [Command] = []
    private var waiters: [Waiter] = []

    /// Adds a command. One that only a running transfer can mean starts no thread.
    mutating func post(_ command: Command, startsThread: Bool = true) -> PostAction {
        switch phase {
        case .idle:
            guard startsThread else { return .refuse }
            phase = .running
            commands.append(command)
            return .startThread
        case .running:
            commands.append(command)
            // Who works in its place looks too, before the thread goes on.
            guard isResting, !isBorrowed else { return .none }
            isResting = false
            return .wake
        case .stopping, .ended:
            return .refuse
        }
    }

    /// The thread could not be started: as if nothing had been posted.
    mutating func startFailed() {
        phase = .idle
        commands = []
    }

    /// Hands all commands to the thread; `stops` says that they are the last. `nil` while somebody works in its place: then it has
    /// to sleep until it is woken.
    mutating func takeAll() -> (commands: [Command], stops: Bool)? {
        guard !isBorrowed else {
            isAwaited = true
            return nil
        }
        isResting = false
        defer { commands = [] }
        return (commands, phase != .running)
    }

    /// The thread has nothing to do. Returns whether it may sleep, until it is woken: `false` where it has to look again.
    mutating func mayRest() -> Bool {
        isResting = commands.isEmpty && phase == .running
        return isResting
    }

    /// Somebody wants to work in the place of the thread: may, until `giveBack`, if that sleeps and nobody else does.
    mutating func borrow() -> Bool {
        guard phase == .running, isResting, !isBorrowed else { return false }
        isBorrowed = true
        return true
    }

    /// Who worked in its place has ended. Returns whether the thread must be woken.
    mutating func giveBack() -> Bool {
        let mustWake = isAwaited || !commands.isEmpty
        (isBorrowed, isAwaited) = (false, false)
        if mustWake { isResting = false }
        return mustWake
    }

    /// Ends the thread. Returns whether it must be woken, and the waiter where there is nothing to wait for.
    mutating func stop(_ waiter: Waiter?) -> (wakes: Bool, released: Waiter?) {
        switch phase {
        case .idle:
            phase = .ended
            return (false, waiter)
        case .ended:
            return (false, waiter)
        case .running, .stopping:
            let wakes = phase == .running
            phase = .stopping
            if let waiter { waiters.append(waiter) }
            return (wakes, nil)
        }
    }

    /// The thread has ended: these waited for it.
    mutating func ended() -> [Waiter] {
        phase = .ended
        defer { waiters = [] }
        return waiters
    }
}
