import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

/// A request and its response, as a task of a URLSession carries them.
final class SessionExchange: HTTPExchange {
    /// Makes the task that carries an exchange.
    typealias TaskMaker = @Sendable (SessionExchange) throws(ImageError) -> URLSessionDataTask

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
    let response: ResponseStream
    private let url: RequestURL
    private let makeTask: TaskMaker
    private let progress: Mutex<Progress>

    /// - Throws: `ImageError.invalidURL` or `.unsupported` for a request that HTTP or URLSession cannot carry.
    init(_ request: HTTPRequest, anchors: [Data]?, makeTask: @escaping TaskMaker) throws(ImageError) {
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
        self.makeTask = makeTask
        response = ResponseStream(highWatermark: request.highWatermark)
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
        // Images are compressed already; a second time costs both sides and hides the body's length.
        if self.request.headers["Accept-Encoding"] == nil {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        request.httpShouldHandleCookies = false
        // The timers are Easel's own: URLSession's run on while the reader rests.
        request.timeoutInterval = 7 * 24 * 3600
        return request
    }

    // MARK: The transfer

    func startTransfer() throws(ImageError) {
        let task = try makeTask(self)
        progress.withLock { progress in
            progress.task = task
            progress.timers.connected(at: .now)
        }
        // A cancellation before this line finds no task to stop.
        guard !response.isOver else { return stopTransfer() }
        watch()
        task.resume()
    }

    func resumeTransfer() {
        let task = progress.withLock { progress in
            progress.timers.resumed(at: .now)
            return progress.task
        }
        if Self.canPause { task?.resume() }
    }

    func stopTransfer() {
        unwatch()
        progress.withLock { $0.task }?.cancel()
    }

    private func pauseTransfer() {
        let task = progress.withLock { progress in
            progress.timers.paused()
            return progress.task
        }
        if Self.canPause { task?.suspend() }
    }

    /// Not with the URLSession of Linux: there a task that is suspended as it ends can end the process
    /// (`_NativeProtocol.stopLoading`, Swift 6.3). What arrives is kept until it is read.
    private static let canPause: Bool = {
        #if canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }()

    // MARK: The session's side

    /// The head is there.
    func deliver(_ head: ResponseHead) {
        progress.withLock { progress in
            progress.hasHead = true
            progress.expected = head.bodyLength(method: request.method)
            progress.timers.received(at: .now)
        }
        // The next byte may be due sooner than the head was.
        watch()
        response.deliver(head)
    }

    /// Bytes of the body.
    func deliver(_ data: Data) {
        progress.withLock { progress in
            progress.received += data.count
            progress.timers.received(at: .now)
        }
        if response.deliver(Array(data)) { pauseTransfer() }
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
        response.finish(result)
        unwatch()
    }

    /// The server is not who it should be.
    func refuse(_ reason: String) {
        finish(.failure(.insecure(host: url.host, reason: reason)))
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
        stopTransfer()
        return nil
    }
}
