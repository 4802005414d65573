import EaselCore
import Foundation
import Testing

@testable import EaselHTTP

@Suite("Transport: HTTP/2", .enabled(if: Nginx.path != nil, "nginx is not installed"))
struct HTTP2Tests {
    private static let small = Data("hello".utf8)
    private static let big = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })

    private let server: Nginx
    private let transport = CurlTransport()

    init() async throws {
        server = try Nginx(path: try #require(Nginx.path), files: ["small": Self.small, "big": Self.big])
        try await server.waitUntilReady()
    }

    private func get(_ name: String) async throws(ImageError) -> (response: HTTPResponse, bytes: [UInt8]) {
        try await transport.get(server.url(name), allowsInvalidCertificates: true)
    }

    @Test("The server chooses it over TLS, and the answer says so")
    func version() async throws {
        let (response, bytes) = try await get("small")
        #expect(response.version == "HTTP/2")
        #expect(response.bodyLength == Self.small.count)
        #expect(bytes == Array(Self.small))
    }

    @Test("Exchanges at once share one connection")
    func multiplexing() async throws {
        let (transport, url) = (transport, server.url("small"))
        let connections = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await transport.get(url, allowsInvalidCertificates: true).response.headers["X-Connection"]
                }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(connections.count == 1)
        #expect(connections.first != .some(nil))
    }

    @Test("A body that nobody reads yet holds up no other on its connection, and still comes whole")
    func restingStream() async throws {
        let resting = try Exchange(
            HTTPRequest(url: server.url("big"), allowsInvalidCertificates: true, highWatermark: 64 << 10),
            engine: Engine())
        _ = try await resting.start()
        while !resting.backlog.isPaused { await Task.yield() }
        #expect(try await get("big").bytes.count == Self.big.count)
        var bytes: [UInt8] = []
        while let piece = try await resting.next() { bytes += piece }
        #expect(bytes == Array(Self.big))
    }

    @Test("1,500 streams cancelled in the middle leave the connection usable")
    func cancelledStreams() async throws {
        let transport = transport
        let request = HTTPRequest(url: server.url("big"), allowsInvalidCertificates: true)
        let begun = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1500 {
                if number >= 16 { _ = await group.next() }
                group.addTask {
                    guard let response = try? await transport.send(request) else { return false }
                    return (try? await response.body.next()) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(begun > 0)
        #expect(try await get("big").bytes == Array(Self.big))
    }
}
