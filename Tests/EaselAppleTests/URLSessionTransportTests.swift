#if OriginServer
import EaselApple
import EaselCore
import EaselTesting
import Foundation
import Testing

/// Tests with the URLSession of the current system. That of swift-corelibs-foundation on Linux is a different
/// implementation from Apple's.
@Suite("URLSession transport", .timeLimit(.minutes(1)))
struct URLSessionTransportTests {
    private let transport = URLSessionTransport()

    private func get(
        _ url: URL, headers: HTTPHeaders = [:], timeouts: HTTPTimeouts = HTTPTimeouts()
    ) async throws(ImageError) -> (response: HTTPResponse, bytes: [UInt8]) {
        let response = try await transport.send(
            HTTPRequest(url: url.absoluteString, headers: headers, timeouts: timeouts))
        var bytes: [UInt8] = []
        while let piece = try await response.body.next() { bytes += piece }
        return (response, bytes)
    }

    @Test("a small body arrives whole, with its head")
    func smallBody() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello", type: "text/plain")) }
        let (response, bytes) = try await get(origin.url("/a"))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/plain")
        #expect(response.bodyLength == 5)
        #expect(bytes == Array("hello".utf8))
        await origin.stop()
    }

    @Test("a chunked body arrives whole, without a length")
    func chunked() async throws {
        let data = Data(repeating: 7, count: 100_000)
        let origin = try await OriginServer.start { $0.respond("/a", with: .bytes(data), faults: [.chunked()]) }
        let (response, bytes) = try await get(origin.url("/a"))
        #expect(response.bodyLength == nil)
        #expect(bytes == Array(data))
        await origin.stop()
    }

    @Test("a redirect is returned as a response", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .redirect(to: "/b", status: status)) }
        let response = try await get(origin.url("/a")).response
        #expect(response.status == status)
        #expect(response.headers["Location"] == "/b")
        #expect(origin.requests(for: "/b").isEmpty)
        await origin.stop()
    }

    @Test("an error status is returned as a response with its body", arguments: [401, 404, 500])
    func status(status: Int) async throws {
        var answer = OriginResponse.text("no")
        answer.status = status
        let origin = try await OriginServer.start { [answer] in $0.respond("/a", with: answer) }
        let (response, bytes) = try await get(origin.url("/a"))
        #expect(response.status == status)
        #expect(bytes == Array("no".utf8))
        await origin.stop()
    }

    @Test("headers are sent unchanged, and the identity coding is requested")
    func headers() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("a")) }
        _ = try await get(origin.url("/a"), headers: ["X-One": "1", "Range": "bytes=0-"])
        let request = try #require(origin.requests(for: "/a").first)
        #expect(request.headers["X-One"] == "1")
        #expect(request.headers["Range"] == "bytes=0-")
        #expect(request.headers["Accept-Encoding"] == "identity")
        await origin.stop()
    }

    @Test("a body that ends early is an error")
    func truncated() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello, world"), faults: [.truncate(at: 5)])
        }
        await #expect(throws: ImageError.connectionLost(received: 5, expected: 12)) { try await get(origin.url("/a")) }
        await origin.stop()
    }

    @Test("a server that never responds fails after the connect timeout")
    func connectTimeout() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .status(200), faults: [.noResponse]) }
        await #expect(throws: ImageError.timedOut(.connect)) {
            try await get(origin.url("/a"), timeouts: HTTPTimeouts(connect: .milliseconds(150)))
        }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("a stalled body fails after the idle timeout")
    func idleTimeout() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello"), faults: [.holdBody(Gate(), at: 2)])
        }
        await #expect(throws: ImageError.timedOut(.idle)) {
            try await get(origin.url("/a"), timeouts: HTTPTimeouts(idle: .milliseconds(100)))
        }
        await origin.stop()
    }

    @Test("cancelling before the head arrives closes the connection")
    func cancelled() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .status(200), faults: [.noResponse]) }
        let url = origin.url("/a")
        let load = Task { () throws(ImageError) in try await get(url).bytes }
        await origin.waitForRequests(for: "/a")
        load.cancel()
        await #expect(throws: ImageError.cancelled) { try await load.value }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("releasing the response ends the exchange")
    func dropped() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello"), faults: [.holdBody(Gate(), at: 2)])
        }
        do { _ = try await transport.send(HTTPRequest(url: origin.url("/a").absoluteString)) }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("a slow reader gets everything")
    func slowReader() async throws {
        let data = Data((0..<4_000_000).map { UInt8(truncatingIfNeeded: $0) })
        let origin = try await OriginServer.start { $0.respond("/a", with: .bytes(data)) }
        let response = try await transport.send(
            HTTPRequest(url: origin.url("/a").absoluteString, highWatermark: 1000))
        var bytes: [UInt8] = []
        while let piece = try await response.body.next() {
            bytes += piece
            await Task.yield()
        }
        #expect(bytes == Array(data))
        await origin.stop()
    }

    @Test("a port without a listener is unreachable")
    func unreachable() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("a")) }
        let url = origin.url("/a")
        await origin.stop()
        await #expect {
            try await get(url)
        } throws: { error in
            (error as? ImageError)?.code == .unreachable
        }
    }

    @Test("after shutdown, running and new requests fail")
    func shutDown() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .status(200), faults: [.noResponse]) }
        let url = origin.url("/a")
        let load = Task { () throws(ImageError) in try await get(url).bytes }
        await origin.waitForRequests(for: "/a")
        await transport.shutDown()
        await #expect(throws: ImageError.invalidated) { try await load.value }
        await #expect(throws: ImageError.invalidated) { try await get(url) }
        await origin.stop()
    }

    @Test("a downloader follows redirects, and sends no credential to another host")
    func downloader() async throws {
        let other = try await OriginServer.start { $0.respond("/b", with: .image(.gradient(8, 8))) }
        let target = other.url("/b").absoluteString
        let origin = try await OriginServer.start { $0.respond("/a", with: .redirect(to: target)) }
        let manager = ImageManager.testing(over: transport)
        let image = try await manager.image(
            for: ImageRequest(origin.url("/a")) { $0.http.headers["Authorization"] = "Bearer secret" })
        #expect(image.size == PixelSize(8, 8))
        #expect(origin.requests(for: "/a").first?.headers["Authorization"] == "Bearer secret")
        #expect(other.requests(for: "/b").first?.headers["Authorization"] == nil)
        await origin.stop()
        await other.stop()
    }
}
#endif
