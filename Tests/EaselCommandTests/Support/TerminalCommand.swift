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

    private enum Event: Sendable {
        case wrote([UInt8])
        case stopped
        case ended(End)
    }

    /// What is on the screen.
    private(set) var screen: ScreenReader
    /// All that it wrote.
    private(set) var output: [UInt8] = []
    /// The terminal.
    let terminal: PseudoTerminal

    private let process: pid_t
    private let events: AsyncStream<Event>
    private var pending: [UInt8] = []
    private var isStopped = false
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
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        Thread.detachNewThread { Self.wait(for: process, continuation) }
        let keyboard = terminal.keyboard.fileDescriptor
        Thread.detachNewThread { Self.read(keyboard, continuation) }
    }

    deinit {
        if end == nil { kill(process, SIGKILL) }
    }

    /// On a thread of its own, because waiting takes one.
    private static func wait(for process: pid_t, _ continuation: AsyncStream<Event>.Continuation) {
        var status: Int32 = 0
        while waitpid(process, &status, WUNTRACED) == process {
            switch status & 0xFF {
            case 0: return _ = continuation.yield(.ended(End(status: status >> 8)))
            case 0x7F: continuation.yield(.stopped)
            default: return _ = continuation.yield(.ended(End(signal: status & 0x7F)))
            }
        }
    }

    /// The same until nobody has the terminal open any more.
    private static func read(_ descriptor: Int32, _ continuation: AsyncStream<Event>.Continuation) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return continuation.finish() }
            continuation.yield(.wrote(Array(buffer.prefix(count))))
        }
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
        var iterator = events.makeAsyncIterator()
        while !condition(screen) {
            guard end == nil, let event = await iterator.next() else {
                throw Missing(screen: screen.text, end: end)
            }
            take(event)
        }
    }

    /// Waits until these are all on the screen.
    func see(_ texts: [String]) async throws {
        try await see { screen in texts.allSatisfy(screen.text.contains) }
    }

    /// Waits until ctrl-Z has stopped it.
    func awaitStop() async throws {
        var iterator = events.makeAsyncIterator()
        while !isStopped, end == nil, let event = await iterator.next() { take(event) }
        isStopped = false
    }

    /// Waits for its end, and for all that it wrote before.
    func awaitEnd() async -> End {
        var iterator = events.makeAsyncIterator()
        while let event = await iterator.next() { take(event) }
        return end ?? End()
    }

    private struct Missing: Error {
        var screen: String
        var end: End?
    }

    private func take(_ event: Event) {
        switch event {
        case .wrote(let bytes):
            output += bytes
            pending += bytes
            let complete = pending.prefix(Self.completeCount(pending))
            pending.removeFirst(complete.count)
            screen.read(String(decoding: complete, as: UTF8.self))
        case .stopped: isStopped = true
        case .ended(var end):
            (end.echoes, end.waitsForLines) = (terminal.echoes, terminal.waitsForLines)
            self.end = end
            // What it wrote is read to its end then.
            try? terminal.device.close()
        }
    }

    /// A character may come in two pieces.
    private static func completeCount(_ bytes: [UInt8]) -> Int {
        guard let lead = bytes.indices.suffix(3).last(where: { bytes[$0] >= 0xC0 }) else { return bytes.count }
        let length = bytes[lead] >= 0xF0 ? 4 : bytes[lead] >= 0xE0 ? 3 : 2
        return lead + length > bytes.count ? lead : bytes.count
    }
}
