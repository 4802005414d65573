internal import Synchronization

/// A request and its response while a transport carries them: a task awaits the head and reads the body, and the
/// transport's thread delivers them.
package protocol HTTPExchange: AnyObject, Sendable {
    /// What has arrived.
    var response: ResponseStream { get }

    /// Starts the transfer.
    ///
    /// - Throws: `ImageError.invalidated` after the end of the transport, `.unsupported` if it cannot run.
    func startTransfer() throws(ImageError)

    /// Resumes the transfer after a pause: the reader has taken the bytes that waited.
    func resumeTransfer()

    /// Stops the transfer, which closes its connection or stream.
    func stopTransfer()
}

extension HTTPExchange {
    /// Starts the transfer and waits for the head. Cancelling the task cancels the exchange.
    package func start() async throws(ImageError) -> ResponseHead {
        let result = await withTaskCancellationHandler {
            do throws(ImageError) {
                try startTransfer()
                return await response.head.result()
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Returns the next piece of the body as it arrived, `nil` after the last. Cancelling the task cancels the
    /// exchange.
    package func next() async throws(ImageError) -> [UInt8]? {
        if !Task.isCancelled, let (outcome, resumes) = response.body.withLock({ $0.take() }) {
            if resumes { resumeTransfer() }
            return try outcome.get()
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: ResponseStream.Reader) in
                guard case .answer(let outcome, let resumes) = response.body.withLock({ $0.read(reader) }) else {
                    return
                }
                if resumes { resumeTransfer() }
                reader.resume(returning: outcome)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the exchange and frees its connection or stream. Does not block; does nothing after the end.
    package func cancel() {
        response.head.settle(.failure(.cancelled))
        let (reader, stops) = response.body.withLock { $0.cancel() }
        if stops { stopTransfer() }
        reader?.resume(returning: .failure(.cancelled))
    }
}

/// The response of an exchange: one head, the bytes of the body, and one end.
///
/// Continuations are resumed outside of every lock.
package final class ResponseStream: Sendable {
    fileprivate typealias Reader = CheckedContinuation<Result<[UInt8]?, ImageError>, Never>

    fileprivate let head = OneTimeValue<ResponseHead>()
    fileprivate let body: Mutex<BodyState<Reader>>

    /// - Parameter highWatermark: the number of unread bytes at which the transfer pauses.
    package init(highWatermark: Int) {
        body = Mutex(BodyState(highWatermark: highWatermark))
    }

    /// The number of bytes that wait for the reader, and whether the transfer is paused because of them.
    package var backlog: (unread: Int, isPaused: Bool) { body.withLock { ($0.unreadCount, $0.isPaused) } }

    /// Whether it has ended, perhaps before the transfer began.
    package var isOver: Bool { body.withLock { $0.isOver } }

    /// Delivers the head.
    package func deliver(_ head: ResponseHead) { self.head.settle(.success(head)) }

    /// Delivers bytes of the body. Returns whether the transfer must pause.
    package func deliver(_ bytes: [UInt8]) -> Bool {
        switch body.withLock({ $0.append(bytes) }) {
        case .keep(let pausesProducer): return pausesProducer
        case .drop: return false
        case .hand(let reader, let outcome):
            reader.resume(returning: outcome)
            return false
        }
    }

    /// Ends the response. Only the first end counts.
    ///
    /// - Parameter head: a head that is not delivered yet. A reader that waits for it finds the whole response.
    package func finish(_ result: Result<Void, ImageError>, head: ResponseHead? = nil) {
        let waiting = body.withLock { $0.finish(result) }
        if let head {
            self.head.settle(.success(head))
        } else if case .failure(let error) = result {
            self.head.settle(.failure(error))
        }
        if let waiting { waiting.reader.resume(returning: waiting.outcome) }
    }
}

/// A result that one task awaits and that is settled once; later results are ignored.
final class OneTimeValue<Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Result<Value, ImageError>, Never>

    private enum State {
        case open
        case awaited(Waiter)
        case settled(Result<Value, ImageError>)
    }

    private let state = Mutex(State.open)

    /// Settles the value unless it is settled already.
    func settle(_ result: Result<Value, ImageError>) {
        let waiter: Waiter? = state.withLock { state in
            if case .settled = state { return nil }
            defer { state = .settled(result) }
            if case .awaited(let waiter) = state { return waiter }
            return nil
        }
        waiter?.resume(returning: result)
    }

    /// Waits for the value. One task at a time.
    func result() async -> Result<Value, ImageError> {
        await withCheckedContinuation { waiter in
            let settled: Result<Value, ImageError>? = state.withLock { state in
                if case .settled(let result) = state { return result }
                state = .awaited(waiter)
                return nil
            }
            if let settled { waiter.resume(returning: settled) }
        }
    }
}

/// The state machine between a transport's thread and the one reader of a body. `Reader` is a continuation, or a name
/// in tests.
struct BodyState<Reader> {
    /// A chunk of the body, `nil` after the last.
    typealias Outcome = Result<[UInt8]?, ImageError>

    /// The action after a read.
    enum ReadAction {
        /// The reader waits for an event.
        case wait
        /// Return the outcome at once, and resume the producer if it was paused.
        case answer(Outcome, resumesProducer: Bool)
    }

    /// The action after new bytes.
    enum AppendAction {
        /// The bytes are kept; the producer pauses or continues.
        case keep(pausesProducer: Bool)
        /// The waiting reader gets the bytes.
        case hand(Reader, Outcome)
        /// The bytes are dropped after the end.
        case drop
    }

    private let highWatermark: Int
    private var unread: [UInt8] = []
    private var reader: Reader?
    private var ending: Result<Void, ImageError>?
    /// Whether the producer is paused.
    private(set) var isPaused = false

    /// - Parameter highWatermark: the number of unread bytes at which the producer pauses, at least 1.
    init(highWatermark: Int) {
        self.highWatermark = max(1, highWatermark)
    }

    /// The number of unread bytes.
    var unreadCount: Int { unread.count }

    /// Whether it has ended.
    var isOver: Bool { ending != nil }

    /// Adds bytes, at least one.
    mutating func append(_ bytes: [UInt8]) -> AppendAction {
        guard ending == nil else { return .drop }
        if let waiting = reader.take() { return .hand(waiting, .success(bytes)) }
        if unread.isEmpty { unread = bytes } else { unread.append(contentsOf: bytes) }
        guard !isPaused, unread.count >= highWatermark else { return .keep(pausesProducer: false) }
        isPaused = true
        return .keep(pausesProducer: true)
    }

    /// Reads the next chunk.
    mutating func read(_ newReader: Reader) -> ReadAction {
        guard reader == nil else {
            return .answer(.failure(.unsupported("A body has one reader at a time.")), resumesProducer: false)
        }
        if let (outcome, resumesProducer) = take() { return .answer(outcome, resumesProducer: resumesProducer) }
        reader = newReader
        return .wait
    }

    /// Takes the next chunk or the end without waiting; `nil` if there is none yet.
    mutating func take() -> (outcome: Outcome, resumesProducer: Bool)? {
        guard reader == nil else { return nil }
        guard !unread.isEmpty else { return ending.map { ($0.map { nil }, false) } }
        let piece = unread
        unread = []
        let wasPaused = isPaused
        isPaused = false
        return (.success(piece), wasPaused && ending == nil)
    }

    /// Ends the body after its unread bytes. Returns the waiting reader.
    mutating func finish(_ result: Result<Void, ImageError>) -> (reader: Reader, outcome: Outcome)? {
        guard ending == nil else { return nil }
        ending = result
        return reader.take().map { ($0, result.map { nil }) }
    }

    /// Ends the body for its reader. Returns the waiting reader, and whether the producer has to stop.
    mutating func cancel() -> (reader: Reader?, stopsProducer: Bool) {
        let wasActive = ending == nil
        // An end that was read stays; one after unread bytes would claim a whole body.
        if wasActive || !unread.isEmpty { ending = .failure(.cancelled) }
        unread = []
        return (reader.take(), wasActive)
    }
}

extension BodyState: Sendable where Reader: Sendable {}
extension BodyState.ReadAction: Sendable where Reader: Sendable {}
extension BodyState.AppendAction: Sendable where Reader: Sendable {}
