import Foundation
import Synchronization

/// Brings the terminal back where the process crashes, whose own clean-up then never runs.
///
/// The handlers do only what POSIX allows in one: `write`, `tcsetattr`, `tcflush`, `sigaction` and `raise`. Whoever handled
/// the signal before, such as Swift's backtracer, has it next, at the place of the crash; it finds the terminal as it was.
enum CrashRestoration {
    /// ctrl-\ is among them: it is asked for where nothing else helps.
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]

    /// Until `disarm()`: where the process crashes `text` is written to standard output, and the settings are restored.
    @MainActor
    static func arm(_ text: String, _ settings: TerminalSettings? = nil) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        let note = UnsafeMutablePointer<CrashNote>.allocate(capacity: 1)
        note.initialize(to: CrashNote(text: UnsafeRawBufferPointer(bytes), settings: settings))
        // The one before is never freed: another thread may be reading it, and there are few.
        currentNote.store(UnsafePointer(note), ordering: .sequentiallyConsistent)
        if previousActions.isEmpty { install() }
    }

    /// There is nothing to bring back any more.
    @MainActor
    static func disarm() {
        currentNote.store(nil, ordering: .sequentiallyConsistent)
    }

    @MainActor
    private static func install() {
        let actions = UnsafeMutableBufferPointer<sigaction>.allocate(capacity: 1 + Int(signals.max() ?? 0))
        actions.initialize(repeating: sigaction())
        for number in signals { sigaction(number, nil, &actions[Int(number)]) }
        // There before a handler is that reads it.
        previousActions = actions
        for number in signals {
            signal(number, handleCrash)
            // Where a stack has overflown there is none for a handler, unless the thread has another one.
            var own = sigaction()
            sigaction(number, nil, &own)
            own.sa_flags |= SA_ONSTACK
            sigaction(number, &own, nil)
        }
    }
}

/// Outside of the type: a handler can hold no context, not even that.
private func handleCrash(_ number: Int32) {
    if let note = currentNote.load(ordering: .sequentiallyConsistent) {
        _ = write(STDOUT_FILENO, note.pointee.text.baseAddress, note.pointee.text.count)
        note.pointee.settings?.restoreInCrash()
    }
    sigaction(number, &previousActions[Int(number)], nil)
    // It comes when this handler has ended, to where the crash was.
    raise(number)
}

/// What a handler needs, in memory that nothing else touches.
private struct CrashNote {
    let text: UnsafeRawBufferPointer
    let settings: TerminalSettings?
}

/// Its note is not changed once it is here, and never freed.
nonisolated(unsafe) private let currentNote = Atomic<UnsafePointer<CrashNote>?>(nil)

/// By signal. Written once, before a handler is there that reads it, and never freed.
nonisolated(unsafe) private var previousActions = UnsafeMutableBufferPointer<sigaction>(start: nil, count: 0)

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
