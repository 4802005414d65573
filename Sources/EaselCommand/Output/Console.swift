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

    /// Writes something that has its own line breaks and colours, such as a picture, to standard output.
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
