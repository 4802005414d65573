import Synchronization

/// What has to be put right before the process ends, however it ends: the terminal's mode, half-written files.
final class ExitActions: Sendable {
    /// The process's own.
    static let shared = ExitActions()

    /// Names an action, to take it back.
    struct Token: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct Actions {
        var pending: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let actions = Mutex(Actions())

    /// Remembers an action. It runs once at most, on any thread.
    func add(_ action: @escaping @Sendable () -> Void) -> Token {
        actions.withLock { actions in
            defer { actions.next += 1 }
            actions.pending[actions.next] = action
            return Token(number: actions.next)
        }
    }

    /// Forgets an action: whoever added it has done it.
    func remove(_ token: Token) {
        actions.withLock { $0.pending[token.number] = nil }
    }

    /// Does an action now, unless it has been done or forgotten.
    func run(_ token: Token) {
        actions.withLock { $0.pending.removeValue(forKey: token.number) }?()
    }

    /// Does all that is pending, the last one first.
    func runAll() {
        let pending = actions.withLock { actions in
            defer { actions.pending = [:] }
            return actions.pending
        }
        for number in pending.keys.sorted(by: >) { pending[number]?() }
    }
}
