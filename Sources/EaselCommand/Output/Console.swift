import EaselCore
import Foundation

/// The two streams that the command writes to, kept apart where both are the same terminal: bars are taken away before
/// anything else is written, and come back below it.
///
/// On the main actor, whose thread is none of Swift's cooperative ones: a reader of a pipe may keep a write waiting.
@MainActor
final class Console {
    /// How progress is shown.
    enum ProgressStyle: Sendable, Hashable {
        /// Bars that move, on a terminal.
        case bars
        /// Whole lines, into a file or a pipe.
        case lines
        /// Not at all, beside JSON.
        case none

        /// The style for these circumstances.
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

    /// Faster than this nobody can read.
    private static let redrawInterval = Duration.milliseconds(66)
    /// What is done before this needs no bar.
    private static let patience = Duration.milliseconds(150)

    /// A console over the process's standard streams.
    init(style: ProgressStyle) {
        self.style = style
    }

    /// Writes a result to standard output, with a line break.
    func result(_ line: String) {
        write(line + "\n", to: .output)
    }

    /// Writes something that has its own line breaks and colours, such as an image, to standard output.
    func drawing(_ text: String, to stream: StandardStream = .output) {
        write(text, to: stream)
    }

    /// Writes a message to standard error, with a line break.
    func message(_ line: String) {
        write(line.printable + "\n", to: .error)
    }

    /// Complains where something could not be written to standard output, because the disk behind it is full, say.
    ///
    /// - Throws: the exit status for that.
    func checkOutput() throws {
        if outputSucceeded { return }
        message("easel: standard output cannot be written.")
        throw ExitStatus.failed
    }

    /// Shows that something happened to a load.
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

    /// A number for one more load.
    func nextTransfer() -> Int {
        defer { transferCount += 1 }
        return transferCount
    }

    /// Takes the bars away, for good if nothing more happens.
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

    /// Moves to the first bar and clears from there on.
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
    /// Calls `body` and shows the progress that it reports; of what comes over a network, that is: a local file is there
    /// before anyone could read its name.
    func showingProgress<Value: Sendable>(
        of input: ImageInput,
        _ body: (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let id = nextTransfer()
        let isRemote = !input.url.isFileURL && input.url.scheme != "data"
        // Only the newest counts: bars are drawn far less often than bytes come.
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

/// Standard output or standard error, unbuffered: whole lines are written at once, and a reader sees each when it is there.
struct StandardStream: Sendable {
    /// Results.
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    /// Progress and errors.
    static let error = StandardStream(descriptor: STDERR_FILENO)

    /// The file descriptor behind it.
    let descriptor: Int32

    /// Whether a person is looking.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether what was written can be written over.
    var canMoveCursor: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Writes all of `text`.
    ///
    /// - Returns: whether it could be written: the disk behind a redirection may be full.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Writes all of `bytes`; `errno` says why it could not.
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

    /// Another process may have made the shared terminal non-blocking.
    private func awaitSpace() {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
    }
}

/// Outside of the type, whose own `write` would hide the system's.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
