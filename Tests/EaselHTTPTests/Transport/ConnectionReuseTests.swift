#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: connections", .timeLimit(.minutes(1)))
struct ConnectionReuseTests {
    @Test("Sequential exchanges use one connection")
    func keepAlive() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let transport = CurlTransport()
        for _ in 0..<5 { _ = try await transport.get(origin.url("/a").absoluteString) }
        #expect(origin.requests.map(\.connection) == [0, 0, 0, 0, 0])
        await origin.stop()
    }

    @Test("A pooled connection that the server closed is replaced without an error")
    func staleConnection() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: [.text("1"), .text("2").with(faults: [.closeBeforeHead]), .text("3")])
        }
        let transport = CurlTransport()
        #expect(try await transport.get(origin.url("/a").absoluteString).bytes == Array("1".utf8))
        #expect(try await transport.get(origin.url("/a").absoluteString).bytes == Array("3".utf8))
        #expect(origin.requests.map(\.connection) == [0, 0, 1])
        await origin.stop()
    }

    @Test("A process that the application starts inherits no connection")
    func inheritance() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let transport = CurlTransport()
        _ = try await transport.get(origin.url("/a").absoluteString)
        let connections = try Descriptors.connected(to: origin.port)
        #expect(connections.count == 1)
        #expect(!connections.contains(where: Descriptors.isInherited))
        await transport.shutDown()
        await origin.stop()
    }

    @Test("At most six connections go to one host")
    func limit() async throws {
        let gate = Gate()
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello"), faults: [.hold(gate)]) }
        let transport = CurlTransport()
        let url = origin.url("/a").absoluteString
        let loads = (0..<20).map { _ in Task { () throws(ImageError) in try await transport.get(url).bytes } }
        await origin.waitForRequests(6, for: "/a")
        gate.open()
        for load in loads { #expect(try await load.value == Array("hello".utf8)) }
        #expect(Set(origin.requests.map(\.connection)).count == 6)
        await origin.stop()
    }
}
#endif
