/// The bytes between a transport's thread and the one reader of a body: bounded, handed over in one piece, ended once.
///
/// Pure: it takes events and says what to do. `Reader` stands for whoever waits (a continuation; in tests, a name).
struct BodyState<Reader> {
    /// A piece of the body, `nil` after the last.
    typealias Outcome = Result<[UInt8]?, ImageError>

    /// What a read leads to.
    enum ReadAction {
        /// The reader is kept until an event answers it.
        case wait
        /// Answer at once, and ask the producer for more if it was told to pause.
        case answer(Outcome, resumesProducer: Bool)
    }

    /// What new bytes lead to.
    enum AppendAction {
        /// Kept for later; the producer pauses or goes on.
        case keep(pausesProducer: Bool)
        /// The reader was waiting and gets them.
        case hand(Reader, Outcome)
        /// Nobody wants them.
        case drop
    }

    private let highWatermark: Int
    private var unread: [UInt8] = []
    private var reader: Reader?
    private var ending: Result<Void, ImageError>?
    /// Whether the producer was told to pause and not yet to go on.
    private(set) var isPaused = false

    /// Asks for a pause when so many bytes wait; 0 or less is one.
    init(highWatermark: Int) {
        self.highWatermark = max(1, highWatermark)
    }

    /// How many bytes wait.
    var unreadCount: Int { unread.count }

    /// Whether no more bytes come, or are wanted.
    var isOver: Bool { ending != nil }

    /// Bytes have come; never none. They are kept as they are, where nothing waits before them.
    mutating func append(_ bytes: [UInt8]) -> AppendAction {
        guard ending == nil else { return .drop }
        if let waiting = reader.take() { return .hand(waiting, .success(bytes)) }
        if unread.isEmpty { unread = bytes } else { unread.append(contentsOf: bytes) }
        guard !isPaused, unread.count >= highWatermark else { return .keep(pausesProducer: false) }
        isPaused = true
        return .keep(pausesProducer: true)
    }

    /// The reader wants the next piece.
    mutating func read(_ newReader: Reader) -> ReadAction {
        guard reader == nil else {
            return .answer(.failure(.unsupported("A body has one reader at a time.")), resumesProducer: false)
        }
        if let (outcome, resumesProducer) = take() { return .answer(outcome, resumesProducer: resumesProducer) }
        reader = newReader
        return .wait
    }

    /// What a reader would not have to wait for.
    mutating func take() -> (outcome: Outcome, resumesProducer: Bool)? {
        guard reader == nil else { return nil }
        guard !unread.isEmpty else { return ending.map { ($0.map { nil }, false) } }
        let piece = unread
        unread = []
        let wasPaused = isPaused
        isPaused = false
        return (.success(piece), wasPaused && ending == nil)
    }

    /// No more bytes come. What came before is still read first. Returns the reader who waits for an answer.
    mutating func finish(_ result: Result<Void, ImageError>) -> (reader: Reader, outcome: Outcome)? {
        guard ending == nil else { return nil }
        ending = result
        return reader.take().map { ($0, result.map { nil }) }
    }

    /// Nobody wants more. Returns the reader who waits, to be told so, and whether the producer still has to be.
    mutating func cancel() -> (reader: Reader?, stopsProducer: Bool) {
        let wasActive = ending == nil
        // An end that was read already stays what it was; one with bytes before it would now tell of a whole body.
        if wasActive || !unread.isEmpty { ending = .failure(.cancelled) }
        unread = []
        return (reader.take(), wasActive)
    }
}

extension BodyState: Sendable where Reader: Sendable {}
extension BodyState.ReadAction: Sendable where Reader: Sendable {}
extension BodyState.AppendAction: Sendable where Reader: Sendable {}
