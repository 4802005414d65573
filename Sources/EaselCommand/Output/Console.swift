import EaselCore
import Foundation

/// An output that writes to standard output and standard error. If both are the same terminal, progress bars are erased
/// before other output and redrawn below it.
///
/// Isolated to the main actor, whose thread is not in Swift's cooperative pool: a slow reader of a pipe can block a
/// write.
@MainActor
final class Console {
    enum ProgressStyle: Sendable, Hashable {
        /// Animated bars, on a terminal.
        case bars
        /// Whole lines, for a file or a pipe.
        case lines
        /// No progress, for JSON.
        case none

        /// Returns the default style for these conditions.
        static func defaultStyle(isTerminal: Bool, json: Bool) -> ProgressStyle {
            if json { return .none }
            return isTerminal ? .bars : .lines
        }
    }

    private var outputSucceeded = true
    private let style: ProgressStyle
    private var board = ProgressBoard()
    private var log = ProgressLog()
    private var barCount = 0
    private var transferCount = 0
    private var nextRedraw = ContinuousClock.now + firstRedrawDelay

    /// The bars are redrawn at most this often.
    private static let redrawInterval = Duration.milliseconds(66)
    /// Loads that end earlier show no bar.
    private static let firstRedrawDelay = Duration.milliseconds(150)

    init(style: ProgressStyle) { self.style = style }

    /// Writes a result to standard output, with a line break.
    func writeResult(_ line: String) { writeDrawing(line + "\n") }

    /// Writes a message to standard error, with a line break.
    func writeMessage(_ line: String) { writeDrawing(line.printable + "\n", to: .error) }

    /// Reports a failed write to standard output, such as on a full disk.
    ///
    /// - Throws: The exit status for the failure.
    func checkOutput() throws {
        if outputSucceeded { return }
        writeMessage("easel: Cannot write to standard output.")
        throw ExitStatus.failed
    }

    func handle(_ event: ProgressEvent) {
        switch style {
        case .none: break
        case .lines: log.line(for: event, at: .now).map(writeMessage)
        case .bars:
            board.handle(event)
            guard nextRedraw <= .now else { return }
            StandardStream.error.write(erasure + bars())
        }
    }

    /// Erases the bars. Later progress draws them again.
    func clearProgress() {
        guard barCount > 0 else { return }
        StandardStream.error.write(erasure)
        barCount = 0
    }

    /// Writes text that has its own line breaks and colours, such as an image.
    func writeDrawing(_ text: String, to stream: StandardStream = .output) {
        clearProgress()
        let succeeded = stream.write(text)
        if stream.descriptor == StandardStream.output.descriptor { outputSucceeded = outputSucceeded && succeeded }
    }

    /// The escape code that moves to the first bar and clears the rest of the screen.
    private var erasure: String { barCount > 0 ? "\r\u{1B}[\(barCount)A\u{1B}[J" : "" }

    private func bars() -> String {
        let window = TerminalSize.current(of: StandardStream.error.descriptor)
        let lines = board.lines(columns: window.columns, rows: window.rows)
        barCount = lines.count
        nextRedraw = .now + Self.redrawInterval
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Console {
    /// Calls `body` and shows the progress that it reports for network loads. Local files load too fast for progress.
    func withProgress<Value: Sendable>(
        of input: ImageInput,
        _ body: (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let id = transferCount
        transferCount += 1
        let isRemote = !input.url.isFileURL && input.url.scheme != "data"
        // Only the latest report counts: bars are drawn less often than bytes arrive.
        let (reports, continuation) = AsyncStream.makeStream(
            of: LoadProgress.self, bufferingPolicy: .bufferingNewest(1))
        handle(.started(id, name: input.name))
        let display = Task {
            for await report in reports where isRemote {
                handle(.advanced(id, received: report.received, expected: report.expected))
            }
        }
        let outcome = await Result.catching { () async throws(ImageError) in try await body { continuation.yield($0) } }
        continuation.finish()
        await display.value
        if case .success = outcome { handle(.finished(id)) } else { handle(.failed(id)) }
        return try outcome.get()
    }
}

/// Standard output or standard error, unbuffered, so that a reader receives whole lines at once.
struct StandardStream: Sendable {
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let error = StandardStream(descriptor: STDERR_FILENO)

    let descriptor: Int32

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether written text can be overwritten.
    var canMoveCursor: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Writes all of `text`.
    ///
    /// - Returns: Whether the write succeeded. It fails if the disk of a redirection is full, for example.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Writes all of `bytes`. Sets `errno` on failure.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var remaining = bytes[...]
        while !remaining.isEmpty {
            let next = UnsafeRawBufferPointer(rebasing: remaining)
            let count = Foundation.write(descriptor, next.baseAddress, next.count)
            if count > 0 {
                remaining = remaining.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process may have made the shared terminal non-blocking.
                var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&output, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
