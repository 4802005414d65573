import Foundation
import Synchronization

/// One line on stderr that says what is being measured: rewritten on a terminal; elsewhere a new one now and then.
final class Progress: Sendable {
    static let shared = Progress()

    private struct State {
        var work = ""
        var lastLine: ContinuousClock.Instant?
        var isOnScreen = false
    }

    private let start = ContinuousClock.now
    private let isTerminal = isatty(2) == 1
    private let state = Mutex(State())

    /// - Parameter round: from 1; 0 for the one that does not count.
    func show(_ work: String, _ contestant: String, round: Int, of rounds: Int) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            let isNew = state.work != work
            guard isTerminal || isNew || state.lastLine.map({ now - $0 > .seconds(10) }) ?? true else { return false }
            state.work = work
            state.lastLine = now
            state.isOnScreen = isTerminal
            return true
        }
        guard isDue else { return }
        let round = round == 0 ? "warm-up" : "round \(round) of \(rounds)"
        let line = "\(work): \(contestant), \(round), \(Int((now - start) / .seconds(1))) s"
        write(isTerminal ? "\r\u{1B}[2K" + line.prefix(150) : line + "\n")
    }

    /// Something that is to stay on screen.
    func say(_ text: String) {
        clear()
        write("benchmark: \(text)\n")
    }

    /// Makes room for what comes to the same terminal.
    func clear() {
        let isOnScreen = state.withLock { state in
            defer { state.isOnScreen = false }
            return state.isOnScreen
        }
        if isOnScreen { write("\r\u{1B}[2K") }
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
