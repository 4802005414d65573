internal import EaselCore
internal import Synchronization

/// One exchange as both sides see it: who asked awaits the head and reads the body, who works with libcurl delivers them.
///
/// Continuations are resumed outside of every lock: what they wake may call right back.
final class Exchange: Sendable {
    /// One that waits for bytes.
    typealias BodyContinuation = CheckedContinuation<Result<[UInt8]?, ImageError>, Never>

    /// What was asked.
    let request: HTTPRequest
    /// Its URL, checked.
    let url: RequestURL
    /// Its method and headers, checked.
    let head: RequestHead

    /// Where it runs.
    let engine: Engine

    private let answer = OneTimeValue<ResponseHead>()
    private let body: Mutex<BodyState<BodyContinuation>>

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that HTTP cannot carry.
    init(_ request: HTTPRequest, engine: Engine) throws(ImageError) {
        url = try RequestURL(request.url)
        head = try engine.head(of: request)
        self.request = request
        self.engine = engine
        body = Mutex(BodyState(highWatermark: request.highWatermark))
    }

    // MARK: The asking side

    /// Begins, and waits for the head. Cancelling the task cancels the exchange.
    func start() async throws(ImageError) -> ResponseHead {
        let result = await withTaskCancellationHandler {
            do throws(ImageError) {
                try engine.start(self)
                return await answer.result()
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// The next piece as it came from the network, `nil` after the last. Cancelling the task cancels the exchange.
    func next() async throws(ImageError) -> [UInt8]? {
        if !Task.isCancelled, let (outcome, resumes) = body.withLock({ $0.take() }) {
            if resumes { engine.post(.resume(self)) }
            return try outcome.get()
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: BodyContinuation) in
                guard case .answer(let outcome, let resumes) = body.withLock({ $0.read(continuation) }) else { return }
                if resumes { engine.post(.resume(self)) }
                continuation.resume(returning: outcome)
            }
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// Ends the exchange and frees its connection or stream. Does not block; does nothing after the end.
    func cancel() {
        answer.settle(.failure(.cancelled))
        let (reader, stopsProducer) = body.withLock { $0.cancel() }
        if stopsProducer { engine.post(.cancel(self)) }
        reader?.resume(returning: .failure(.cancelled))
    }

    /// How many bytes wait unread, and whether the transfer rests because of them.
    var backlog: (unread: Int, isPaused: Bool) { body.withLock { ($0.unreadCount, $0.isPaused) } }

    // MARK: libcurl's side

    /// Whether it ended, perhaps before it began: a task can be cancelled on the way to libcurl's thread.
    var isOver: Bool { body.withLock { $0.isOver } }

    /// The final head is there.
    func deliver(_ head: ResponseHead) -> Delivery? {
        answer.waiter(settling: .success(head)).map { .head($0, .success(head)) }
    }

    /// Bytes of the body. Tells whether the transfer must pause.
    func deliver(_ bytes: [UInt8]) -> (delivery: Delivery?, pauses: Bool) {
        switch body.withLock({ $0.append(bytes) }) {
        case .keep(let pausesProducer): (nil, pausesProducer)
        case .drop: (nil, false)
        case .hand(let reader, let outcome): (.body(reader, outcome), false)
        }
    }

    /// The exchange is over, well or not. Only the first end counts.
    ///
    /// - Parameter head: one that is not delivered yet. Whoever waits for it wakes to find the whole answer.
    func finish(_ result: Result<Void, ImageError>, head: ResponseHead? = nil) -> Delivery? {
        let waiting = body.withLock { $0.finish(result) }
        if let head { return deliver(head) }
        // Who waits for the head reads no body yet.
        if case .failure(let error) = result, let waiter = answer.waiter(settling: .failure(error)) {
            return .head(waiter, .failure(error))
        }
        return waiting.map { .body($0.reader, $0.outcome) }
    }
}

/// Whom to wake, and with what, once nobody holds libcurl: what they do then may ask for it again.
enum Delivery: Sendable {
    case head(OneTimeValue<ResponseHead>.Waiter, Result<ResponseHead, ImageError>)
    case body(Exchange.BodyContinuation, Result<[UInt8]?, ImageError>)

    func perform() {
        switch self {
        case .head(let waiter, let head): waiter.resume(returning: head)
        case .body(let reader, let outcome): reader.resume(returning: outcome)
        }
    }
}
