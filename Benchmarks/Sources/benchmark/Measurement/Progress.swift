import Foundation
import Synchronization

/// A line on stderr with the current measurement. A terminal line is rewritten; elsewhere, new lines are written now
/// and then.
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

    /// - Parameter round: The round, from 1, or 0 for the warm-up.
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

    /// Writes a permanent line.
    func printLine(_ text: String) {
        clear()
        write("benchmark: \(text)\n")
    }

    /// Clears the line for other output.
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
