import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

/// One exchange as both sides see it: who asked awaits the head and reads the body, the session's delegate delivers them.
///
/// Continuations are resumed outside of every lock: what they wake may call right back.
final class SessionExchange: Sendable {
    private typealias BodyContinuation = CheckedContinuation<Result<[UInt8]?, ImageError>, Never>

    /// What the delegate's calls change.
    private struct Progress {
        var task: URLSessionDataTask?
        var watch: Task<Void, Never>?
        var timers: ExchangeTimers
        var hasHead = false
        var hasEnded = false
        var received = 0
        var expected: Int?
    }

    /// What was asked.
    let request: HTTPRequest
    /// The certificates to trust in place of the system's.
    let anchors: [Data]?
    private let url: RequestURL
    private let answer = OneTimeValue<SessionHead>()
    private let body: Mutex<BodyState<BodyContinuation>>
    private let progress: Mutex<Progress>

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that HTTP or URLSession cannot carry.
    init(_ request: HTTPRequest, anchors: [Data]?) throws(ImageError) {
        guard !request.requiresPublicAddress else {
            throw .unsupported("URLSession does not tell which address it connects to. Use CurlTransport.")
        }
        guard request.security.clientCertificate == nil else {
            throw .unsupported("URLSession takes no client certificate from a file. Use CurlTransport.")
        }
        url = try RequestURL(request.url)
        try request.headers.check(method: request.method)
        self.request = request
        self.anchors = anchors
        body = Mutex(BodyState(highWatermark: request.highWatermark))
        var timeouts = request.timeouts
        // URLSession does not tell when it has connected: both waits are one.
        timeouts.connect *= 2
        progress = Mutex(Progress(timers: ExchangeTimers(timeouts, started: .now)))
    }

    /// As URLSession takes it.
    func urlRequest() throws(ImageError) -> URLRequest {
        guard let url = URL(string: url.text) else { throw .invalidURL("The URL is malformed.") }
        var request = URLRequest(url: url)
        request.httpMethod = self.request.method
        for field in self.request.headers.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        // Pictures are compressed already; a second time costs both sides and hides the body's length.
        if self.request.headers["Accept-Encoding"] == nil {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        request.httpShouldHandleCookies = false
        // The timers are Easel's own: URLSession's run on while the reader rests.
        request.timeoutInterval = 7 * 24 * 3600
        return request
    }

    // MARK: The asking side

    /// Begins, and waits for the head. Cancelling the task cancels the exchange.
    func start(
        _ makeTask: (SessionExchange) throws(ImageError) -> URLSessionDataTask
    ) async throws(ImageError) -> SessionHead {
        let task = try makeTask(self)
        progress.withLock { progress in
            progress.task = task
            progress.timers.connected(at: .now)
        }
        watch()
        let result = await withTaskCancellationHandler {
            task.resume()
            return await answer.result()
        } onCancel: {
            cancel()
        }
        return try result.get()
    }

    /// The next piece, `nil` after the last. Cancelling the task cancels the exchange.
    func next() async throws(ImageError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: BodyContinuation) in
                guard case .answer(let outcome, let resumes) = body.withLock({ $0.read(continuation) }) else { return }
                if resumes { resume() }
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
        if stopsProducer { stop() }
        reader?.resume(returning: .failure(.cancelled))
    }

    // MARK: The session's side

    /// The head is there.
    func deliver(_ head: SessionHead) {
        progress.withLock { progress in
            progress.hasHead = true
            progress.expected = head.bodyLength(method: request.method)
            progress.timers.received(at: .now)
        }
        // The next byte may be due sooner than the head was.
        watch()
        answer.settle(.success(head))
    }

    /// Bytes of the body.
    func deliver(_ data: Data) {
        progress.withLock { progress in
            progress.received += data.count
            progress.timers.received(at: .now)
        }
        switch body.withLock({ $0.append(Array(data)) }) {
        case .keep(let pausesProducer): if pausesProducer { pause() }
        case .drop: break
        case .hand(let reader, let outcome): reader.resume(returning: outcome)
        }
    }

    /// The session is done with it.
    func complete(_ error: (any Error)?) {
        let (hasHead, received, expected) = progress.withLock { ($0.hasHead, $0.received, $0.expected) }
        if let error {
            let failure = SessionFailure(
                error: error, host: url.host, hasHead: hasHead, received: received, expected: expected)
            finish(.failure(failure.imageError))
        } else if let expected, received < expected {
            finish(.failure(.connectionLost(received: received, expected: expected)))
        } else {
            finish(.success(()))
        }
    }

    /// The exchange is over, well or not. Only the first end counts.
    func finish(_ result: Result<Void, ImageError>) {
        if case .failure(let error) = result { answer.settle(.failure(error)) }
        let waiting = body.withLock { $0.finish(result) }
        unwatch()
        waiting?.reader.resume(returning: waiting?.outcome ?? .success(nil))
    }

    /// The server is not who it should be.
    func refuse(_ reason: String) {
        finish(.failure(.insecure(host: url.host, reason: reason)))
    }

    // MARK: The task

    /// Not with the URLSession of Linux: there a task that is suspended as it ends can end the process
    /// (`_NativeProtocol.stopLoading`, Swift 6.3). What comes is kept until it is read.
    private static let canRest: Bool = {
        #if canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }()

    private func pause() {
        let task = progress.withLock { progress in
            progress.timers.paused()
            return progress.task
        }
        if Self.canRest { task?.suspend() }
    }

    private func resume() {
        let task = progress.withLock { progress in
            progress.timers.resumed(at: .now)
            return progress.task
        }
        if Self.canRest { task?.resume() }
    }

    private func stop() {
        unwatch()
        progress.withLock { $0.task }?.cancel()
    }

    // MARK: The time

    /// Looks at the timers from now on, in place of who does so.
    private func watch() {
        let watch = Task { [weak self] in
            while let time = self?.nextCheck(), (try? await Task.sleep(until: time, clock: .suspending)) != nil {}
        }
        let superseded: Task<Void, Never>? = progress.withLock { progress in
            if progress.hasEnded { return watch }
            return exchange(&progress.watch, with: watch)
        }
        superseded?.cancel()
    }

    private func unwatch() {
        let watch = progress.withLock { progress in
            progress.hasEnded = true
            return progress.watch.take()
        }
        watch?.cancel()
    }

    /// Ends what has taken too long; otherwise tells when to look again.
    private func nextCheck() -> ExchangeTimers.Instant? {
        let now = SuspendingClock.now
        let deadline = progress.withLock { $0.timers.deadline }
        // While the reader rests nothing is counted: the next look is as far away as a time that begins now would be.
        guard let deadline else { return now.advanced(by: max(request.timeouts.idle, .milliseconds(1))) }
        guard deadline.time <= now else { return deadline.time }
        finish(.failure(.timedOut(deadline.timeout)))
        stop()
        return nil
    }
}
