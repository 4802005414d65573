import Foundation
import Testing

/// The built command in its own terminal, with a simulated user.
final class TerminalCommand {
    /// How the command ended.
    struct End: Sendable, Hashable {
        /// The exit status; `nil` if a signal ended the command.
        var status: Int32?
        /// The signal that ended the command.
        var signal: Int32?
        /// Whether the terminal was restored.
        var echoes = false
        var waitsForLines = false
    }

    /// The contents of the screen.
    private(set) var screen: ScreenReader
    /// The whole output of the command.
    private(set) var output: [UInt8] = []
    let terminal: PseudoTerminal

    /// A change of the process.
    private enum Change: Sendable {
        case stopped
        case ended(End)
    }

    private let process: pid_t
    private let changes: AsyncStream<Change>
    private var pending: [UInt8] = []
    private var end: End?

    /// Starts the command.
    ///
    /// - Parameter readsKeys: Whether its standard input is the terminal instead of being empty.
    init(
        _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24, readsKeys: Bool = true,
        environment: [String: String] = [:]
    ) throws {
        let terminal = try #require(PseudoTerminal())
        terminal.resize(columns: columns, rows: rows)
        self.terminal = terminal
        screen = ScreenReader(columns: Int(columns), rows: Int(rows))
        // A backtrace would be the end of the output.
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

    /// Waits on a separate thread, because `waitpid` blocks.
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
        // The output can now be read to its end.
        try? terminal.device.close()
    }

    // MARK: - User

    /// Types these keys.
    func type(_ keys: String) throws {
        try terminal.userSide.write(contentsOf: Data(keys.utf8))
    }

    /// Resizes the window. A real terminal would keep part of its contents; this one keeps nothing.
    func resize(columns: UInt16, rows: UInt16) {
        screen = ScreenReader(columns: Int(columns), rows: Int(rows))
        terminal.resize(columns: columns, rows: rows)
    }

    /// Sends the command a signal.
    func send(_ signal: Int32) { kill(process, signal) }

    // MARK: - Screen

    /// Waits until the screen meets the condition.
    ///
    /// - Throws: An error if the command ends before.
    func waitForScreen(_ condition: (ScreenReader) -> Bool) async throws {
        while !condition(screen) {
            guard await readSome() else { throw Missing(screen: screen.text) }
        }
    }

    /// Waits until all these texts are on the screen.
    func waitForScreen(_ texts: [String]) async throws {
        try await waitForScreen { screen in texts.allSatisfy(screen.text.contains) }
    }

    /// Waits until ctrl-Z has stopped the command, which happens after its last output.
    func waitForStop() async {
        for await change in changes {
            if case .ended(let end) = change { self.end = end }
            return
        }
    }

    /// Waits for the end of the command and for its output until then.
    func waitForEnd() async -> End {
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

    /// Reads only when a test needs more output, so the command has to wait as for a slow terminal, and cannot write
    /// ahead of the checks.
    private func readSome() async -> Bool {
        let descriptor = terminal.userSide.fileDescriptor
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

    /// A UTF-8 sequence may be split between reads.
    private static func completeCount(_ bytes: [UInt8]) -> Int {
        guard let lead = bytes.indices.suffix(3).last(where: { bytes[$0] >= 0xC0 }) else { return bytes.count }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return lead + length > bytes.count ? lead : bytes.count
    }
}
