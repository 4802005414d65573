import AsyncHTTPClient
import NIOCore
import NIOSSL

/// The client of Swift's servers.
final class AsyncHTTPClientPeer: LibraryPeer {
    let name = "AsyncHTTPClient"
    private let client: HTTPClient

    init(certificate: String) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 6
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(certificate)
        configuration.tlsConfiguration = tls
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    func get(_ url: String, headers: [(String, String)]) async throws -> (status: Int, byteCount: Int) {
        var request = HTTPClientRequest(url: url)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await client.execute(request, timeout: .seconds(60))
        // Collects one buffer, as the other clients do.
        return (Int(response.status.code), try await response.body.collect(upTo: 1 << 30).readableBytes)
    }

    func cancel(_ base: String, count: Int) async throws -> Double {
        let starts = Counter()
        let tasks = (0..<count).map { number in
            Task {
                _ = starts.next()
                _ = try? await self.get(base + String(number), headers: [])
            }
        }
        while starts.count < count { await Task.yield() }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        return (.now - start) / .nanoseconds(1)
    }

    func peakBodyMemory(_ url: String) async throws -> Double {
        let before = allocatedBytes()
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        var body = response.body.makeAsyncIterator()
        _ = try await body.next()
        defer { withExtendedLifetime(body) {} }
        return try await InParallel.growth(before)
    }
}
