import EaselTesting
import EaselTransport
import EaselCore
import Foundation
import Testing

@testable import EaselHTTP

@Suite("Transport: HTTP/2", .enabled(if: Nginx.path != nil, "nginx is not installed"), .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private let small = Data("hello".utf8)
    private let big = Pattern.data(8_000_000)
    private let transport = CurlTransport()

    private func get(_ url: String) async throws(ImageError) -> (response: HTTPResponse, bytes: [UInt8]) {
        try await transport.get(url, allowsInvalidCertificates: true)
    }

    @Test("The server selects HTTP/2 over TLS, and the response reports it")
    func version() async throws {
        try await Nginx.serve(["small": small]) { server in
            let (response, bytes) = try await get(server.url("small"))
            #expect(response.version == "HTTP/2")
            #expect(response.bodyLength == small.count)
            #expect(bytes == Array(small))
        }
    }

    @Test("Concurrent exchanges share one connection")
    func multiplexing() async throws {
        try await Nginx.serve(["small": small]) { server in
            let url = server.url("small")
            let connections = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<100 { group.addTask { try await get(url).response.headers["X-Connection"] } }
                return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(connections.count == 1)
            #expect(connections.first != .some(nil))
        }
    }

    @Test("An unread body does not block others on its connection, and still arrives whole")
    func unreadStream() async throws {
        try await Nginx.serve(["big": big]) { server in
            let request = HTTPRequest(
                url: server.url("big"), allowsInvalidCertificates: true, highWatermark: 64 << 10)
            let unread = try Exchange(request, engine: Engine())
            let other = try Exchange(request, engine: unread.engine)
            _ = try await unread.start()
            try await until { unread.response.backlog.isPaused || unread.response.isOver }
            _ = try await other.start()
            #expect(try await bytes(of: other) == Array(big))
            #expect(unread.response.backlog.isPaused)
            #expect(try await bytes(of: unread) == Array(big))
        }
    }

    private func bytes(of exchange: Exchange) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await exchange.next() { bytes += piece }
        return bytes
    }

    @Test("1,500 streams cancelled in the middle leave the connection usable")
    func cancelledStreams() async throws {
        let big = Pattern.data(2_000_000)
        try await Nginx.serve(["big": big]) { server in
            let request = HTTPRequest(
                url: server.url("big"), allowsInvalidCertificates: true, highWatermark: 16 << 10)
            let startCount = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<1500 {
                    if number >= 16 { _ = await group.next() }
                    group.addTask {
                        guard let response = try? await transport.send(request) else { return false }
                        return (try? await response.body.next()) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(startCount > 0)
            let bytes = try await get(server.url("big")).bytes
            #expect(bytes == Array(big))
        }
    }
}
