#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: shutting down", .timeLimit(.minutes(1)))
struct ShutDownTests {
    @Test("Shutting down ends every exchange with one error and frees every connection")
    func endsEverything() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/head", with: .text("hello"), faults: [.noResponse])
            $0.respond("/body", with: .bytes(Data(count: 1000)), faults: [.holdBody(Gate(), at: 10)])
        }
        let transport = CurlTransport()
        let body = try await transport.send(HTTPRequest(url: origin.url("/body").absoluteString)).body
        let read = Task { () throws(ImageError) in try await body.all() }
        let url = origin.url("/head").absoluteString
        let loads = (0..<20).map { _ in Task { () throws(ImageError) in try await transport.get(url).bytes } }
        await origin.waitForRequests(5, for: "/head")

        await transport.shutDown()
        for load in loads { await #expect(throws: ImageError.invalidated) { try await load.value } }
        await #expect(throws: ImageError.invalidated) { try await read.value }
        #expect(try Descriptors.connected(to: origin.port).isEmpty)
        await origin.stop()
    }

    @Test("After shutting down nothing is sent, and shutting down again returns")
    func after() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let transport = CurlTransport()
        _ = try await transport.get(origin.url("/a").absoluteString)
        await transport.shutDown()
        await transport.shutDown()
        await #expect(throws: ImageError.invalidated) { try await transport.get(origin.url("/a").absoluteString) }
        #expect(origin.requests.count == 1)
        await origin.stop()
    }

    @Test("A transport that has sent nothing shuts down")
    func unused() async {
        let transport = CurlTransport()
        await transport.shutDown()
        await #expect(throws: ImageError.invalidated) { try await transport.get("http://127.0.0.1:1/") }
    }

    @Test("A transport that is dropped frees its connections")
    func drop() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let port = origin.port
        _ = try await CurlTransport().get(origin.url("/a").absoluteString)
        try await until { try Descriptors.connected(to: port).isEmpty }
        await origin.stop()
    }
}
#endif
