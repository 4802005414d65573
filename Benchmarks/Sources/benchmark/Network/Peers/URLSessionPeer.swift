import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's client, with its cache off.
final class URLSessionPeer: LibraryPeer {
    let name = "URLSession"
    private let session = URLSession(configuration: URLSessionPeer.configuration)

    private static var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 6
        return configuration
    }

    func get(_ url: String, headers: [(String, String)]) async throws -> (status: Int, byteCount: Int) {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await withCheckedThrowingContinuation { [request] continuation in
            session.dataTask(with: request) { data, response, error in
                if let error { return continuation.resume(throwing: error) }
                continuation.resume(
                    returning: ((response as? HTTPURLResponse)?.statusCode ?? 0, data?.count ?? 0))
            }.resume()
        }
    }

    func cancel(_ base: String, count: Int) async throws -> Double {
        let ends = Counter()
        let session = URLSession(configuration: Self.configuration)
        let tasks = (0..<count).compactMap { URL(string: base + String($0)) }.map { url in
            session.dataTask(with: url) { _, _, _ in _ = ends.next() }
        }
        for task in tasks { task.resume() }
        let start = ContinuousClock.now
        for task in tasks { task.cancel() }
        while ends.count < tasks.count { await Task.yield() }
        defer { session.invalidateAndCancel() }
        return (.now - start) / .nanoseconds(1)
    }

    func peakBodyMemory(_ url: String) async throws -> Double {
        guard let url = URL(string: url) else { throw URLError(.badURL) }
        let reader = SlowReader()
        let session = URLSession(configuration: Self.configuration, delegate: reader, delegateQueue: nil)
        let before = allocatedBytes()
        session.dataTask(with: url).resume()
        while !reader.hasBegun.isRaised { try await Task.sleep(for: .milliseconds(1)) }
        defer {
            reader.resume.raise()
            session.invalidateAndCancel()
        }
        return try await InParallel.growth(before)
    }

    /// A reader that stops after the first piece.
    private final class SlowReader: NSObject, URLSessionDataDelegate {
        let hasBegun = Flag()
        let resume = Flag()

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            hasBegun.raise()
            while !resume.isRaised { usleep(1000) }
        }
    }
}
