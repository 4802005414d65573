import EaselCore
import Foundation
import Synchronization

/// A handler that restores the terminal when the process crashes and its usual clean-up does not run.
///
/// The handlers call only async-signal-safe functions: `write`, `tcsetattr`, `tcflush`, `sigaction` and `raise`. They
/// then pass the signal to the previous handler, such as Swift's backtracer, at the location of the crash.
enum CrashRestoration {
    /// Includes ctrl-\, which users press when a program does not react to ctrl-C.
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS, SIGQUIT]

    /// Until `disarm()`, a crash writes `text` to standard output and restores the settings.
    @MainActor
    static func arm(_ text: String, _ settings: TerminalSettings? = nil) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        let note = UnsafeMutablePointer<CrashNote>.allocate(capacity: 1)
        note.initialize(to: CrashNote(text: UnsafeRawBufferPointer(bytes), settings: settings))
        // The previous note is never freed: another thread may be reading it. There are few of them.
        currentNote.store(UnsafePointer(note), ordering: .sequentiallyConsistent)
        if previousActions.isEmpty { install() }
    }

    @MainActor
    static func disarm() { currentNote.store(nil, ordering: .sequentiallyConsistent) }

    @MainActor
    private static func install() {
        let actions = UnsafeMutableBufferPointer<sigaction>.allocate(capacity: 1 + Int(signals.max() ?? 0))
        actions.initialize(repeating: sigaction())
        for number in signals { sigaction(number, nil, &actions[Int(number)]) }
        // Set before the first handler is installed, which reads it.
        previousActions = actions
        for number in signals {
            signal(number, handleCrash)
            // After a stack overflow a handler can only run on an alternate signal stack, if the thread has one.
            var action = sigaction()
            sigaction(number, nil, &action)
            action.sa_flags |= SA_ONSTACK
            sigaction(number, &action, nil)
        }
    }
}

/// A signal handler cannot capture context, so this is a global function.
private func handleCrash(_ number: Int32) {
    if let note = currentNote.load(ordering: .sequentiallyConsistent) {
        _ = write(STDOUT_FILENO, note.pointee.text.baseAddress, note.pointee.text.count)
        note.pointee.settings?.restoreInCrash()
    }
    sigaction(number, &previousActions[Int(number)], nil)
    // The signal is delivered when this handler returns, at the location of the crash.
    raise(number)
}

/// The data of the handler, in memory that no other code touches.
private struct CrashNote {
    let text: UnsafeRawBufferPointer
    let settings: TerminalSettings?
}

/// The current note. Immutable once published, and never freed.
nonisolated(unsafe) private let currentNote = Atomic<UnsafePointer<CrashNote>?>(nil)

/// The previous actions, indexed by signal. Written once, before the first handler is installed, and never freed.
nonisolated(unsafe) private var previousActions = UnsafeMutableBufferPointer<sigaction>(start: nil, count: 0)

/// The actions that run before the process ends in any way, such as restoring the terminal or removing half-written
/// files.
final class ExitActions: Sendable {
    static let shared = ExitActions()

    typealias Token = Int

    private struct Actions {
        var pending: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let actions = Mutex(Actions())

    /// Adds an action. It runs at most once, on any thread.
    func add(_ action: @escaping @Sendable () -> Void) -> Token {
        actions.withLock { actions in
            defer { actions.next += 1 }
            actions.pending[actions.next] = action
            return actions.next
        }
    }

    func remove(_ token: Token) { actions.withLock { $0.pending[token] = nil } }

    /// Runs an action now, unless it has run or was removed.
    func run(_ token: Token) {
        actions.withLock { $0.pending.removeValue(forKey: token) }?()
    }

    /// Runs all pending actions, last added first.
    func runAll() {
        let pending = actions.withLock { exchange(&$0.pending, with: [:]) }
        for number in pending.keys.sorted(by: >) { pending[number]?() }
    }
}
