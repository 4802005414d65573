#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@Suite("Origin server: responses", .timeLimit(.minutes(1)))
struct OriginBasicsTests {
    @Test("A response has only its status, type, length and body")
    func wholeAnswer() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello", type: "text/plain")) }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a", "Connection: close")
        let (text, ending) = try await client.readToEnd()
        #expect(
            text == "HTTP/1.1 200 \r\nContent-Type: text/plain\r\nAccept-Ranges: bytes\r\n"
                + "Connection: close\r\nContent-Length: 5\r\n\r\nhello")
        #expect(ending == .closed)
    }

    @Test("An image is sent as a file of its format")
    func image() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .image(.gradient(4, 4), .png)) }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a", "Connection: close")
        let text = try await client.readToEnd().text
        #expect(text.contains("\r\nContent-Type: image/png\r\n"))
        #expect(text.contains("\r\n\r\n\u{89}PNG\r\n\u{1A}\n"))
    }

    @Test("A path without a response is a 404")
    func unknownPath() async throws {
        let origin = try await OriginServer.start()
        let client = try await WireClient(port: origin.port)
        try await client.get("/nothing", "Connection: close")
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 404 \r\n"))
    }

    @Test("One connection serves several requests, and the log records it")
    func keepAlive() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let client = try await WireClient(port: origin.port)
        for _ in 0..<2 {
            try await client.get("/a")
            #expect(try await client.read(until: "hello").hasSuffix("\r\n\r\nhello"))
        }
        #expect(origin.requests.map(\.connection) == [0, 0])
        #expect(origin.requests.map(\.number) == [0, 1])
    }

    @Test("Pipelined requests are answered in order")
    func pipelining() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("first"))
            $0.respond("/b", with: .text("second"))
        }
        let client = try await WireClient(port: origin.port)
        try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        let text = try await client.read(until: "second")
        #expect(text.contains("first"))
    }

    @Test("A list of responses is used in order, and the last one repeats")
    func sequence() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: [.status(500), .status(200)]) }
        let client = try await WireClient(port: origin.port)
        var statuses: [Substring] = []
        for _ in 0..<3 {
            try await client.get("/a")
            statuses.append(try await client.read(until: "\r\n\r\n").dropFirst(9).prefix(3))
        }
        #expect(statuses == ["500", "200", "200"])
    }

    @Test("A handler receives the request and returns the response")
    func handler() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a") { request in .text("you asked for \(request.query ?? "nothing")") }
        }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a?size=2", "Connection: close")
        #expect(try await client.readToEnd().text.hasSuffix("you asked for size=2"))
    }

    @Test("A response can be changed while the server runs")
    func laterResponse() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("old")) }
        origin.respond("/a", with: .text("new"))
        let client = try await WireClient(port: origin.port)
        try await client.get("/a", "Connection: close")
        #expect(try await client.readToEnd().text.hasSuffix("new"))
    }

    @Test("A URL has the port, the path and the query")
    func url() async throws {
        let origin = try await OriginServer.start()
        #expect(origin.url("/a.png?b=c%20d").absoluteString == "http://127.0.0.1:\(origin.port)/a.png?b=c%20d")
    }

    @Test("A stopped server does not listen, and its open connections are closed")
    func stop() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .status(200), faults: [.noResponse]) }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        await origin.waitForRequests(1)
        await origin.stop()
        #expect(try await client.readToEnd().ending == .closed)
        await #expect(throws: WireClient.Failure.self) { try await WireClient(port: origin.port) }
    }

    @Test("A port in use is an error")
    func portInUse() async throws {
        let origin = try await OriginServer.start()
        let error = await #expect(throws: ImageError.self) {
            _ = try await OriginServer.start { $0.port = origin.port }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("127.0.0.1:\(origin.port)") == true)
    }
}
#endif
