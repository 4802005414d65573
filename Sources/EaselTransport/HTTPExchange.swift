package import EaselCore
import Synchronization

/// A request and its response while a transport carries them. A task awaits the head and reads the body, which the
/// transport's thread delivers.
package protocol HTTPExchange: AnyObject, Sendable {
    /// The response.
    var response: ResponseStream { get }

    /// Starts the transfer.
    ///
    /// - Throws: `ImageError.invalidated` if the transport is shut down, `.unsupported` if it cannot run.
    func startTransfer() throws(ImageError)

    /// Resumes the transfer after a pause.
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
                return await response.awaitHead()
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Returns the next chunk of the body, or `nil` after the last. Cancelling the task cancels the exchange.
    package func next() async throws(ImageError) -> [UInt8]? {
        if !Task.isCancelled, let (outcome, resumes) = response.body.withLock({ $0.take() }) {
            if resumes { resumeTransfer() }
            return try outcome.get()
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (reader: ResponseStream.Reader) in
                guard let (outcome, resumes) = response.body.withLock({ $0.read(reader) }) else { return }
                if resumes { resumeTransfer() }
                reader.resume(returning: outcome)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the exchange and frees its connection or stream. Does not block. Has no effect after the end.
    package func cancel() {
        response.settleHead(.failure(.cancelled))
        let (reader, stops) = response.body.withLock { $0.cancel() }
        if stops { stopTransfer() }
        reader?.resume(returning: .failure(.cancelled))
    }
}

/// The response of an exchange: a head, the bytes of the body, and an end.
package final class ResponseStream: Sendable {
    fileprivate typealias Reader = CheckedContinuation<Result<[UInt8]?, ImageError>, Never>
    private typealias HeadReader = CheckedContinuation<Result<ResponseHead, ImageError>, Never>

    private enum HeadState {
        case pending(HeadReader?)
        case settled(Result<ResponseHead, ImageError>)
    }

    // Continuations are resumed outside of the locks.
    private let head = Mutex(HeadState.pending(nil))
    fileprivate let body: Mutex<BodyState<Reader>>

    /// - Parameter highWatermark: The number of unread bytes at which the transfer pauses.
    package init(highWatermark: Int) {
        body = Mutex(BodyState(highWatermark: highWatermark))
    }

    /// The number of unread bytes, and whether the transfer is paused because of them.
    package var backlog: (unread: Int, isPaused: Bool) { body.withLock { ($0.unreadCount, $0.isPaused) } }

    /// Whether the response has ended, perhaps before the transfer began.
    package var isOver: Bool { body.withLock { $0.isOver } }

    /// Delivers the head.
    package func deliver(_ head: ResponseHead) { settleHead(.success(head)) }

    /// Delivers bytes of the body. Returns whether the transfer must pause.
    package func deliver(_ bytes: [UInt8]) -> Bool {
        let (reader, pausesProducer) = body.withLock { $0.append(bytes) }
        reader?.resume(returning: .success(bytes))
        return pausesProducer
    }

    /// Ends the response. Only the first end counts.
    ///
    /// - Parameter head: A head that is not delivered yet. Its reader finds the whole response.
    package func finish(_ result: Result<Void, ImageError>, head: ResponseHead? = nil) {
        let reader = body.withLock { $0.finish(result) }
        if let head {
            settleHead(.success(head))
        } else if case .failure(let error) = result {
            settleHead(.failure(error))
        }
        reader?.resume(returning: result.map { nil })
    }

    /// Settles the head. Later calls are ignored.
    fileprivate func settleHead(_ result: Result<ResponseHead, ImageError>) {
        let reader: HeadReader? = head.withLock { state in
            guard case .pending(let reader) = state else { return nil }
            state = .settled(result)
            return reader
        }
        reader?.resume(returning: result)
    }

    /// Waits for the head. Called by one task at a time.
    fileprivate func awaitHead() async -> Result<ResponseHead, ImageError> {
        await withCheckedContinuation { reader in
            let result: Result<ResponseHead, ImageError>? = head.withLock { state in
                if case .settled(let result) = state { return result }
                state = .pending(reader)
                return nil
            }
            if let result { reader.resume(returning: result) }
        }
    }
}

/// The state machine between a transport's thread and the one reader of a body. `Reader` is a continuation, or a name
/// in tests.
struct BodyState<Reader> {
    /// A chunk of the body, `nil` after the last.
    typealias Outcome = Result<[UInt8]?, ImageError>

    private let highWatermark: Int
    private var unread: [UInt8] = []
    private var reader: Reader?
    private var ending: Result<Void, ImageError>?
    /// Whether the producer is paused.
    private(set) var isPaused = false

    /// - Parameter highWatermark: The number of unread bytes at which the producer pauses, at least 1.
    init(highWatermark: Int) { self.highWatermark = max(1, highWatermark) }

    var unreadCount: Int { unread.count }

    var isOver: Bool { ending != nil }

    /// Adds bytes, at least one. Returns the waiting reader, which gets the bytes, and whether the producer has to
    /// pause.
    mutating func append(_ bytes: [UInt8]) -> (reader: Reader?, pausesProducer: Bool) {
        if ending != nil { return (nil, false) }
        if let reader = reader.take() { return (reader, false) }
        if unread.isEmpty { unread = bytes } else { unread.append(contentsOf: bytes) }
        guard !isPaused, unread.count >= highWatermark else { return (nil, false) }
        isPaused = true
        return (nil, true)
    }

    /// Reads the next chunk. Returns `nil` if the reader waits for it.
    mutating func read(_ newReader: Reader) -> (outcome: Outcome, resumesProducer: Bool)? {
        guard reader == nil else { return (.failure(.unsupported("A body has one reader at a time.")), false) }
        if let taken = take() { return taken }
        reader = newReader
        return nil
    }

    /// Takes the next chunk or the end without waiting; `nil` if there is none yet.
    mutating func take() -> (outcome: Outcome, resumesProducer: Bool)? {
        guard reader == nil else { return nil }
        guard !unread.isEmpty else { return ending.map { ($0.map { nil }, false) } }
        defer { (unread, isPaused) = ([], false) }
        return (.success(unread), isPaused && ending == nil)
    }

    /// Ends the body after its unread bytes. Returns the waiting reader, which gets the end.
    mutating func finish(_ result: Result<Void, ImageError>) -> Reader? {
        guard ending == nil else { return nil }
        ending = result
        return reader.take()
    }

    /// Ends the body for its reader. Returns the waiting reader, and whether the producer has to stop.
    mutating func cancel() -> (reader: Reader?, stopsProducer: Bool) {
        let wasActive = ending == nil
        // A successful end after unread bytes would pretend a whole body.
        if wasActive || !unread.isEmpty { ending = .failure(.cancelled) }
        unread = []
        return (reader.take(), wasActive)
    }
}

extension BodyState: Sendable where Reader: Sendable {}
