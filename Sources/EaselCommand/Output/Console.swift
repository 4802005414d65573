import EaselCore
import Foundation

/// Writes to standard output and standard error. If both are the same terminal, progress bars are erased before other
/// output and redrawn below it.
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
        static func usual(isTerminal: Bool, json: Bool) -> ProgressStyle {
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
    private var nextRedraw = ContinuousClock.now + patience

    /// The bars are redrawn at most this often.
    private static let redrawInterval = Duration.milliseconds(66)
    /// Loads that end earlier show no bar.
    private static let patience = Duration.milliseconds(150)

    init(style: ProgressStyle) {
        self.style = style
    }

    /// Writes a result to standard output, with a line break.
    func result(_ line: String) {
        write(line + "\n", to: .output)
    }

    /// Writes text that has its own line breaks and colours, such as an image.
    func drawing(_ text: String, to stream: StandardStream = .output) {
        write(text, to: stream)
    }

    /// Writes a message to standard error, with a line break.
    func message(_ line: String) {
        write(line.printable + "\n", to: .error)
    }

    /// Reports a failed write to standard output, such as on a full disk.
    ///
    /// - Throws: The exit status for the failure.
    func checkOutput() throws {
        if outputSucceeded { return }
        message("easel: Cannot write to standard output.")
        throw ExitStatus.failed
    }

    /// Updates the progress display for an event.
    func progress(_ event: ProgressEvent) {
        switch style {
        case .none: break
        case .lines: log.line(for: event, at: .now).map(message)
        case .bars:
            board.handle(event)
            guard nextRedraw <= .now else { return }
            StandardStream.error.write(erasure + bars())
        }
    }

    /// Returns a number for a new load.
    func nextTransfer() -> Int {
        defer { transferCount += 1 }
        return transferCount
    }

    /// Erases the bars. Later progress draws them again.
    func clearProgress() {
        guard barCount > 0 else { return }
        StandardStream.error.write(erasure)
        barCount = 0
    }

    private func write(_ text: String, to stream: StandardStream) {
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
    func showingProgress<Value: Sendable>(
        of input: ImageInput,
        _ body: (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let id = nextTransfer()
        let isRemote = !input.url.isFileURL && input.url.scheme != "data"
        // Only the latest report counts: bars are drawn less often than bytes arrive.
        let (reports, continuation) = AsyncStream.makeStream(
            of: LoadProgress.self, bufferingPolicy: .bufferingNewest(1))
        progress(.started(id, name: input.name))
        let showing = Task {
            for await report in reports where isRemote {
                progress(.advanced(id, received: report.received, expected: report.expected))
            }
        }
        let outcome: Result<Value, ImageError>
        do throws(ImageError) {
            outcome = .success(try await body { continuation.yield($0) })
        } catch {
            outcome = .failure(error)
        }
        continuation.finish()
        await showing.value
        if case .success = outcome { progress(.finished(id)) } else { progress(.failed(id)) }
        return try outcome.get()
    }
}

/// Standard output or standard error, unbuffered, so that a reader receives whole lines at once.
struct StandardStream: Sendable {
    /// The stream for results.
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    /// The stream for progress and errors.
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
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = writeOnce(descriptor, UnsafeRawBufferPointer(rebasing: rest))
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                awaitSpace()
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Waits until the descriptor is writable. Another process may have made the shared terminal non-blocking.
    private func awaitSpace() {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
    }
}

/// Calls the system's `write`, which `StandardStream.write` would shadow inside the type.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
