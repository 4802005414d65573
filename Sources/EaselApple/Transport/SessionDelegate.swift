import EaselCore
import EaselTransport
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Synchronization

/// The exchanges of a session in progress. Forwards the session's callbacks, which are serial, to them.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var exchanges: [Int: SessionExchange] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let metrics: (@Sendable (URLSessionTaskMetrics) -> Void)?

    init(metrics: (@Sendable (URLSessionTaskMetrics) -> Void)?) { self.metrics = metrics }

    /// Under the lock, because an invalidated session raises an exception when a task is created.
    func start(_ exchange: SessionExchange, in session: URLSession) throws(ImageError) -> URLSessionDataTask {
        let urlRequest = try exchange.urlRequest()
        let task: URLSessionDataTask? = state.withLock { state in
            guard !state.isShutDown else { return nil }
            let task = session.dataTask(with: urlRequest)
            state.exchanges[task.taskIdentifier] = exchange
            return task
        }
        guard let task else { throw .invalidated }
        return task
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }

    func shutDown(_ session: URLSession) {
        let finished: [SessionExchange]? = state.withLock { state in
            guard !state.isShutDown else { return nil }
            state.isShutDown = true
            defer { state.exchanges = [:] }
            return Array(state.exchanges.values)
        }
        guard let finished else { return }
        session.invalidateAndCancel()
        for exchange in finished { exchange.finish(.failure(.invalidated)) }
    }

    // MARK: - URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the response.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else {
            completionHandler(.cancel)
            return
        }
        exchange.deliver(ResponseHead(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.deliver(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }?.complete(error)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        self.metrics?(metrics)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let exchange = exchange(of: task)
        if let (disposition, credential) = ServerTrust.respond(to: challenge, exchange) {
            completionHandler(disposition, credential)
        } else if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodHTTPDigest,
            challenge.previousFailureCount == 0, case .digest(let user, let password) = exchange?.request.credential
        {
            completionHandler(.useCredential, URLCredential(user: user, password: password, persistence: .none))
        } else {
            // The loader sends other credentials as headers; a refusal by the server is a response.
            completionHandler(.rejectProtectionSpace, nil)
        }
    }
}

extension ResponseHead {
    /// Creates the head of a URLSession response, which joins fields of the same name.
    init(_ response: HTTPURLResponse) {
        let fields = response.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            return HTTPHeaders.Field(name: name, value: value)
        }
        // A dictionary has no order, so the fields are sorted to be deterministic.
        self.init(status: response.statusCode, headers: HTTPHeaders(fields.sorted { $0.name < $1.name }))
        contentLength = response.expectedContentLength >= 0 ? Int(clamping: response.expectedContentLength) : nil
        readContentCoding()
    }
}
