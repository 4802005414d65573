import EaselCore
import EaselTransport
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

final class SessionExchange: HTTPExchange {
    typealias TaskMaker = @Sendable (SessionExchange) throws(ImageError) -> URLSessionDataTask

    private struct Progress {
        var task: URLSessionDataTask?
        var timeoutTask: Task<Void, Never>?
        var timers: ExchangeTimers
        var hasHead = false
        var hasEnded = false
        var received = 0
        var expected: Int?
    }

    let request: HTTPRequest
    /// The certificates that are trusted instead of the system's.
    let anchors: [Data]?
    let response: ResponseStream
    private let url: RequestURL
    private let makeTask: TaskMaker
    private let progress: Mutex<Progress>

    /// - Throws: `ImageError.invalidURL` or `.unsupported` if HTTP or URLSession does not support the request.
    init(_ request: HTTPRequest, anchors: [Data]?, makeTask: @escaping TaskMaker) throws(ImageError) {
        guard !request.requiresPublicAddress else {
            throw .unsupported("URLSession does not report the address it connects to. Use CurlTransport.")
        }
        guard request.security.clientCertificate == nil else {
            throw .unsupported("URLSession cannot use a client certificate file. Use CurlTransport.")
        }
        url = try RequestURL(request.url)
        try request.headers.check(method: request.method)
        self.request = request
        self.anchors = anchors
        self.makeTask = makeTask
        response = ResponseStream(highWatermark: request.highWatermark)
        var timeouts = request.timeouts
        // URLSession does not report when it has connected, so both timeouts are combined.
        timeouts.connect *= 2
        progress = Mutex(Progress(timers: ExchangeTimers(timeouts, started: .now)))
    }

    func urlRequest() throws(ImageError) -> URLRequest {
        guard let url = URL(string: url.text) else { throw .invalidURL("The URL is malformed.") }
        var request = URLRequest(url: url)
        request.httpMethod = self.request.method
        for field in self.request.headers.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        // Images are already compressed. Compressing again costs time and hides the body's length.
        if self.request.headers["Accept-Encoding"] == nil {
            request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        request.httpShouldHandleCookies = false
        // Easel uses its own timers: those of URLSession continue while the reader pauses.
        request.timeoutInterval = 7 * 24 * 3600
        return request
    }

    // MARK: Transfer

    func startTransfer() throws(ImageError) {
        let task = try makeTask(self)
        progress.withLock { progress in
            progress.task = task
            progress.timers.didConnect(at: .now)
        }
        // A cancellation before this line finds no task to stop.
        guard !response.isOver else { return stopTransfer() }
        startTimer()
        task.resume()
    }

    func resumeTransfer() {
        let task = progress.withLock { progress in
            progress.timers.didResume(at: .now)
            return progress.task
        }
        if Self.canPause { task?.resume() }
    }

    func stopTransfer() {
        stopTimer()
        progress.withLock { $0.task }?.cancel()
    }

    private func pauseTransfer() {
        let task = progress.withLock { progress in
            progress.timers.didPause()
            return progress.task
        }
        if Self.canPause { task?.suspend() }
    }

    /// Not with URLSession on Linux: a task that is suspended as it ends can crash the process
    /// (`_NativeProtocol.stopLoading`, Swift 6.3). Received data is buffered instead.
    private static let canPause: Bool = {
        #if canImport(FoundationNetworking)
        false
        #else
        true
        #endif
    }()

    // MARK: Callbacks of the session

    func deliver(_ head: ResponseHead) {
        progress.withLock { progress in
            progress.hasHead = true
            progress.expected = head.bodyLength(method: request.method)
            progress.timers.didReceive(at: .now)
        }
        // The next byte may be due earlier than the head.
        startTimer()
        response.deliver(head)
    }

    func deliver(_ data: Data) {
        progress.withLock { progress in
            progress.received += data.count
            progress.timers.didReceive(at: .now)
        }
        if response.deliver(Array(data)) { pauseTransfer() }
    }

    func complete(_ error: (any Error)?) {
        let (hasHead, received, expected) = progress.withLock { ($0.hasHead, $0.received, $0.expected) }
        if let error {
            let reason = imageError(for: error, hasHead: hasHead, received: received, expected: expected)
            finish(.failure(reason.caused(by: error)))
        } else if let expected, received < expected {
            finish(.failure(.connectionLost(received: received, expected: expected)))
        } else {
            finish(.success(()))
        }
    }

    /// Ends the exchange with a result. Only the first call has an effect.
    func finish(_ result: Result<Void, ImageError>) {
        response.finish(result)
        stopTimer()
    }

    /// Ends the exchange because the server is not trusted.
    func rejectServer(_ reason: String) { finish(.failure(.insecure(host: url.host, reason: reason))) }

    // MARK: Timeouts

    /// Schedules the next check, replacing an earlier one.
    private func startTimer() {
        let timeoutTask = Task { [weak self] in
            while let time = self?.checkTimeouts(), (try? await Task.sleep(until: time, clock: .suspending)) != nil {}
        }
        let superseded: Task<Void, Never>? = progress.withLock { progress in
            if progress.hasEnded { return timeoutTask }
            return exchange(&progress.timeoutTask, with: timeoutTask)
        }
        superseded?.cancel()
    }

    private func stopTimer() {
        let timeoutTask = progress.withLock { progress in
            progress.hasEnded = true
            return progress.timeoutTask.take()
        }
        timeoutTask?.cancel()
    }

    /// Ends the exchange if it timed out, otherwise returns the time of the next check.
    private func checkTimeouts() -> ExchangeTimers.Instant? {
        let now = SuspendingClock.now
        let deadline = progress.withLock { $0.timers.deadline }
        // Nothing times out while the reader pauses: the next check is as late as for a timeout that starts now.
        guard let deadline else { return now.advanced(by: max(request.timeouts.idle, .milliseconds(1))) }
        guard deadline.time <= now else { return deadline.time }
        finish(.failure(.timedOut(deadline.timeout)))
        stopTransfer()
        return nil
    }
}

extension SessionExchange {
    private func imageError(
        for error: any Error, hasHead: Bool, received: Int, expected: Int?
    ) -> ImageError {
        let host = url.host
        guard let error = error as? URLError else {
            return .unreachable(host: host, reason: error.localizedDescription)
        }
        return switch error.code {
        case .cancelled: .cancelled
        case .badURL, .unsupportedURL: .invalidURL("The URL is malformed.")
        case .timedOut: .timedOut(hasHead ? .idle : .connect)
        case .cannotFindHost, .dnsLookupFailed:
            .unreachable(host: host, reason: "no address is known for this name")
        case .cannotConnectToHost where !hasHead: .unreachable(host: host, reason: "no server answers at this address")
        case .notConnectedToInternet: .unreachable(host: host, reason: "there is no network connection")
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection,
            .userCancelledAuthentication:
            .insecure(host: host, reason: error.localizedDescription)
        case .cannotDecodeRawData, .cannotDecodeContentData: .invalidResponse("its body is malformed.")
        case .badServerResponse, .cannotParseResponse: .invalidResponse("it is not HTTP.")
        case .networkConnectionLost, .zeroByteResource: .connectionLost(received: received, expected: expected)
        case _ where hasHead: .connectionLost(received: received, expected: expected)
        default: .unreachable(host: host, reason: error.localizedDescription)
        }
    }
}
