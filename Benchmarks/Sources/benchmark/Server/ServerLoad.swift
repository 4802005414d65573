import AsyncHTTPClient
import Foundation
import NIOCore

/// Requests to one server, with what they cost it.
final class ServerLoad: Sendable {
    struct Sample {
        var perSecond: Double
        /// Nanoseconds a request, of all processes of the server.
        var processorTime: Double
        /// Bytes, of all processes of the server.
        var peakMemory: Int
    }

    private let client: HTTPClient

    init(connections: Int) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit { client.shutdown { _ in } }

    /// Requests each URL once, `connections` at a time.
    ///
    /// A count of requests is measured instead of a time: requests at the end of a time would cost, and not count.
    func run(_ urls: [String], connections: Int, of server: ImageServerProcess) async throws -> Sample {
        let tree = server.tree
        let before = tree.processorTime
        let start = ContinuousClock.now
        let sampling = Task.detached {
            var most = 0
            repeat {
                most = max(most, tree.memory)
                try? await Task.sleep(for: .milliseconds(50))
            } while !Task.isCancelled
            return most
        }
        defer { sampling.cancel() }
        let right = try await InParallel.sum(urls.count, atATime: connections) { [self] number in
            try await get(urls[number]).isEmpty ? 0 : 1
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard right == urls.count else { throw WrongResult(contestant: server.name, work: urls[0]) }
        sampling.cancel()
        return Sample(
            perSecond: Double(urls.count) / seconds, processorTime: (tree.processorTime - before) / Double(urls.count),
            peakMemory: await sampling.value)
    }

    /// Returns the body of a response.
    func get(_ url: String) async throws -> Data {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(120))
        guard response.status == .ok else {
            throw MissingPeer(name: url, reason: "the answer is \(response.status.code).")
        }
        return Data(try await response.body.collect(upTo: 1 << 28).readableBytesView)
    }
}

/// The samples of a server's rounds.
final class Samples: @unchecked Sendable {
    // Unlocked, since one contestant works at a time.
    private var processorTimes: [Double] = []
    private var peaks: [Double] = []

    /// Returns rows of requests a second, processor time and memory. The rounds of the first row measure all.
    ///
    /// - Parameter measure: Measures a round of the server with an index. The first one is Easel's.
    static func rows(
        _ group: String, _ title: String, _ servers: [ImageServerProcess],
        _ measure: @escaping (Int) async throws -> ServerLoad.Sample
    ) -> [Work] {
        let samples = servers.map { _ in Samples() }
        func row(_ name: String, _ unit: Work.Unit, _ figure: @escaping (Int) async throws -> Double) -> Work {
            let contestants = servers.indices.map { index in
                Contestant(servers[index].name, in: .servers, .counted { try await figure(index) })
            }
            return Work(
                group: group, name: name, unit: unit, ours: contestants[0], peers: Array(contestants.dropFirst()))
        }
        return [
            row(title, .perSecond) { index in
                let sample = try await measure(index)
                samples[index].processorTimes.append(sample.processorTime)
                samples[index].peaks.append(Double(sample.peakMemory))
                return sample.perSecond
            },
            row("\(title), processor time", .nanoseconds) { try next(&samples[$0].processorTimes) },
            row("\(title), peak memory", .bytes) { try next(&samples[$0].peaks) },
        ]
    }

    /// Returns the next figure, round by round.
    private static func next(_ figures: inout [Double]) throws -> Double {
        guard !figures.isEmpty else { throw MissingPeer(name: "a figure", reason: "its round failed.") }
        return figures.removeFirst()
    }
}
