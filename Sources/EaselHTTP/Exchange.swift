internal import EaselCore
internal import Synchronization

/// A request and its answer, as both sides see it: a task awaits the head and reads the body, and libcurl's thread delivers
/// them.
///
/// Continuations are resumed outside of every lock.
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
        head = try RequestHead(method: request.method, headers: request.headers)
        self.request = request
        self.engine = engine
        body = Mutex(BodyState(highWatermark: request.highWatermark))
    }

    // MARK: The task's side

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

    /// The number of bytes that wait for the reader, and whether the transfer is paused because of them.
    var backlog: (unread: Int, isPaused: Bool) { body.withLock { ($0.unreadCount, $0.isPaused) } }

    // MARK: libcurl's side

    /// Whether it has ended, perhaps before it began: a task can be cancelled before its command is performed.
    var isOver: Bool { body.withLock { $0.isOver } }

    /// Delivers the final head.
    func deliver(_ head: ResponseHead) { answer.settle(.success(head)) }

    /// Delivers bytes of the body. Returns whether the transfer must pause.
    func deliver(_ bytes: [UInt8]) -> Bool {
        switch body.withLock({ $0.append(bytes) }) {
        case .keep(let pausesProducer): return pausesProducer
        case .drop: return false
        case .hand(let reader, let outcome):
            reader.resume(returning: outcome)
            return false
        }
    }

    /// Ends the exchange. Only the first end counts.
    ///
    /// - Parameter head: a head that is not delivered yet. A reader that waits for it finds the whole answer.
    func finish(_ result: Result<Void, ImageError>, head: ResponseHead? = nil) {
        let waiting = body.withLock { $0.finish(result) }
        if let head {
            answer.settle(.success(head))
        } else if case .failure(let error) = result {
            answer.settle(.failure(error))
        }
        if let waiting { waiting.reader.resume(returning: waiting.outcome) }
    }
}
