import EaselCore
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards the callbacks of a session to its exchanges. Called serially on the session's queue.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges: SessionExchanges
    private let metrics: (@Sendable (URLSessionTaskMetrics) -> Void)?

    init(_ exchanges: SessionExchanges, metrics: (@Sendable (URLSessionTaskMetrics) -> Void)?) {
        self.exchanges = exchanges
        self.metrics = metrics
    }

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
        guard let exchange = exchanges[dataTask], let response = response as? HTTPURLResponse else {
            completionHandler(.cancel)
            return
        }
        exchange.deliver(ResponseHead(response))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges[dataTask]?.deliver(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.remove(task)?.complete(error)
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
        let exchange = exchanges[task]
        if let (disposition, credential) = ServerTrust.answer(challenge, exchange) {
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
