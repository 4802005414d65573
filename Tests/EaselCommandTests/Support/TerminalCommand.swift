import Foundation
import Testing

/// The built command in a terminal of its own, with somebody at the keyboard.
final class TerminalCommand {
    /// How it ended.
    struct End: Sendable, Hashable {
        /// The exit status; `nil` where a signal ended it.
        var status: Int32?
        /// The signal that ended it.
        var signal: Int32?
        /// Whether the terminal was then as terminals are.
        var echoes = false
        var waitsForLines = false
    }

    /// What is on the screen.
    private(set) var screen: ScreenReader
    /// All that it wrote.
    private(set) var output: [UInt8] = []
    /// The terminal.
    let terminal: PseudoTerminal

    /// What becomes of the process.
    private enum Change: Sendable {
        case stopped
        case ended(End)
    }

    private let process: pid_t
    private let changes: AsyncStream<Change>
    private var pending: [UInt8] = []
    private var end: End?

    /// Starts it.
    ///
    /// - Parameter readsKeys: whether its standard input is the terminal, and not empty.
    init(
        _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, readsKeys: Bool = true,
        environment: [String: String] = [:]
    ) throws {
        let terminal = try #require(PseudoTerminal())
        terminal.resize(columns: columns, rows: rows)
        self.terminal = terminal
        screen = ScreenReader(columns: Int(columns), rows: Int(rows))
        // A backtrace would be what it writes last.
        let variables = ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no", "ASAN_OPTIONS": "detect_leaks=0"]
        let process = try terminal.spawn(
            [RunningCommand.path] + arguments, environment: variables.merging(environment) { $1 }, readsKeys: readsKeys)
        self.process = process
        let (changes, continuation) = AsyncStream.makeStream(of: Change.self)
        self.changes = changes
        Thread.detachNewThread { Self.wait(for: process, in: terminal, continuation) }
    }

    deinit {
        if end == nil { kill(process, SIGKILL) }
    }

    /// On a thread of its own, because waiting takes one.
    private static func wait(
        for process: pid_t, in terminal: PseudoTerminal, _ continuation: AsyncStream<Change>.Continuation
    ) {
        var status: Int32 = 0
        var end = End()
        while waitpid(process, &status, WUNTRACED) == process {
            let signal = status & 0x7F
            guard signal == 0x7F else {
                if signal == 0 { end.status = status >> 8 & 0xFF } else { end.signal = signal }
                break
            }
            continuation.yield(.stopped)
        }
        (end.echoes, end.waitsForLines) = (terminal.echoes, terminal.waitsForLines)
        continuation.yield(.ended(end))
        // What it wrote can be read to its end then.
        try? terminal.device.close()
    }

    // MARK: - The person

    /// Types these keys.
    func type(_ keys: String) throws {
        try terminal.keyboard.write(contentsOf: Data(keys.utf8))
    }

    /// Makes the window larger or smaller; a terminal would keep some of what it showed, this one nothing.
    func resize(columns: UInt16, rows: UInt16) {
        screen = ScreenReader(columns: Int(columns), rows: Int(rows))
        terminal.resize(columns: columns, rows: rows)
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    // MARK: - What there is to see

    /// Waits until the screen is as it should be.
    ///
    /// - Throws: an error where the command ends before.
    func see(_ condition: (ScreenReader) -> Bool) async throws {
        while !condition(screen) {
            guard await readSome() else { throw Missing(screen: screen.text) }
        }
    }

    /// Waits until these are all on the screen.
    func see(_ texts: [String]) async throws {
        try await see { screen in texts.allSatisfy(screen.text.contains) }
    }

    /// Waits until ctrl-Z has stopped it, which happens when it has written all that it wants to.
    func awaitStop() async {
        for await change in changes {
            if case .ended(let end) = change { self.end = end }
            return
        }
    }

    /// Waits for its end, and for all that it wrote before.
    func awaitEnd() async -> End {
        while await readSome() {}
        for await case .ended(let end) in changes {
            self.end = end
            break
        }
        return end ?? End()
    }

    private struct Missing: Error {
        var screen: String
    }

    /// Reads what it has written, and no more than that is asked for: it has to wait, as for any slow terminal, and cannot
    /// write faster than its screen is looked at.
    private func readSome() async -> Bool {
        let descriptor = terminal.keyboard.fileDescriptor
        let bytes = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = read(descriptor, &buffer, buffer.count)
                continuation.resume(returning: Array(buffer.prefix(max(0, count))))
            }
        }
        output += bytes
        pending += bytes
        let complete = pending.prefix(Self.completeCount(pending))
        pending.removeFirst(complete.count)
        screen.read(String(decoding: complete, as: UTF8.self))
        return !bytes.isEmpty
    }

    /// A character may come in two pieces.
    private static func completeCount(_ bytes: [UInt8]) -> Int {
        guard let lead = bytes.indices.suffix(3).last(where: { bytes[$0] >= 0xC0 }) else { return bytes.count }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return lead + length > bytes.count ? lead : bytes.count
    }
}
