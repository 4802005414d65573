internal import Synchronization

/// A request and its response while a transport carries them: a task awaits the head and reads the body, and the transport's
/// thread delivers them.
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

    /// Returns the next piece of the body as it arrived, `nil` after the last. Cancelling the task cancels the exchange.
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
