#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: cancellation", .timeLimit(.minutes(1)))
struct CancellationTests {
    private static let data = Data(repeating: 1, count: 50_000_000)

    @Test("Cancelling before the head arrives closes the connection")
    func beforeHead() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .status(200), faults: [.noResponse])
        }
        let url = origin.url("/a").absoluteString
        let transport = CurlTransport()
        let load = Task { () throws(ImageError) in try await transport.get(url).bytes }
        await origin.waitForRequests(for: "/a")
        load.cancel()
        await #expect(throws: ImageError.cancelled) { try await load.value }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("Cancelling a reader closes its connection, and the transport still works")
    func insideBody() async throws {
        let gate = Gate()
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Self.data), faults: [.holdBody(gate, at: 1000)])
            $0.respond("/b", with: .text("still here"))
        }
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(url: origin.url("/a").absoluteString))
        let started = Gate()
        let read = Task { () throws(ImageError) in
            var count = 0
            while let piece = try await response.body.next() {
                count += piece.count
                if count >= 1000 { started.open() }
            }
            return count
        }
        try await started.wait()
        read.cancel()
        await #expect(throws: ImageError.cancelled) { try await read.value }
        #expect(await origin.waitForClose(of: "/a") != nil)
        #expect(try await transport.get(origin.url("/b").absoluteString).bytes == Array("still here".utf8))
        gate.open()
        await origin.stop()
    }

    @Test("After a cancelled read the body stays cancelled")
    func staysCancelled() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Self.data), faults: [.holdBody(Gate(), at: 10)])
        }
        let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/a").absoluteString))
        let read = Task { () throws(ImageError) in try await response.body.all() }
        read.cancel()
        await #expect(throws: ImageError.cancelled) { try await read.value }
        await #expect(throws: ImageError.cancelled) { try await response.body.next() }
        await origin.stop()
    }

    @Test("Dropping an unread response closes the connection")
    func drop() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .bytes(Self.data)) }
        let transport = CurlTransport()
        let status = try await transport.send(HTTPRequest(url: origin.url("/a").absoluteString)).status
        #expect(status == 200)
        #expect(await origin.waitForClose(of: "/a") != nil)
        await transport.shutDown()
        await origin.stop()
    }

    @Test("A body keeps its transport alive")
    func bodyOutlivesTransport() async throws {
        let data = Data(repeating: 2, count: 3_000_000)
        let origin = try await OriginServer.start { $0.respond("/a", with: .bytes(data)) }
        let url = origin.url("/a").absoluteString
        let body = try await CurlTransport().send(HTTPRequest(url: url)).body
        #expect(try await body.all().count == data.count)
        await origin.stop()
    }

    @Test("A task that is already cancelled sends nothing")
    func cancelledBefore() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let url = origin.url("/a").absoluteString
        let gate = Gate()
        let load = Task { () throws(ImageError) in
            try? await gate.wait()
            return try await CurlTransport().get(url).bytes
        }
        load.cancel()
        gate.open()
        await #expect(throws: ImageError.cancelled) { try await load.value }
        #expect(origin.requests.isEmpty)
        await origin.stop()
    }
}
#endif
