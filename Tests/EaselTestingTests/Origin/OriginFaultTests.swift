#if OriginServer
import EaselTesting
import TestSupport
import Testing

/// The effect of each fault on the bytes that the client receives.
@Suite("Origin server: faults on the wire", .timeLimit(.minutes(1)))
struct OriginFaultTests {
    private let head = "HTTP/1.1 200 \r\nContent-Type: t\r\nAccept-Ranges: bytes\r\nContent-Length: 10\r\n\r\n"
    private let clock = ManualClock()

    /// Starts a server whose `/a` has these faults, and a client that has requested it.
    private func start(_ faults: OriginFault...) async throws -> (origin: OriginServer, client: WireClient) {
        let origin = try await OriginServer.start {
            $0.clock = clock
            $0.respond("/a", with: .text("0123456789", type: "t"), faults: faults)
        }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        return (origin, client)
    }

    @Test("delay: nothing is sent until the clock advances")
    func delay() async throws {
        let (origin, client) = try await start(.delay(.seconds(5)))
        await clock.waitForSleepers(1)
        #expect(origin.requests.map(\.bytesWritten) == [0])
        clock.advance(by: .seconds(5))
        #expect(try await client.read(until: "789") == head + "0123456789")
    }

    @Test("delayBody: the head is sent at once, the body when the clock advances")
    func delayBody() async throws {
        let (origin, client) = try await start(.delayBody(.seconds(5)))
        #expect(try await client.read(until: "\r\n\r\n") == head)
        await clock.waitForSleepers(1)
        #expect(origin.requests.map(\.bytesWritten) == [head.utf8.count])
        clock.advance(by: .seconds(5))
        #expect(try await client.read(until: "789") == "0123456789")
    }

    @Test("hold: nothing is sent until the gate opens")
    func hold() async throws {
        let gate = Gate()
        let (origin, client) = try await start(.hold(gate))
        await origin.waitForRequests(1, for: "/a")
        #expect(origin.requests.map(\.bytesWritten) == [0])
        gate.open()
        #expect(try await client.read(until: "789") == head + "0123456789")
    }

    @Test("holdBody: the rest of the body is sent when the gate opens")
    func holdBody() async throws {
        let gate = Gate()
        let (origin, client) = try await start(.holdBody(gate, at: 4))
        #expect(try await client.read(until: "0123") == head + "0123")
        #expect(origin.requests.map(\.ending) == [nil])
        gate.open()
        #expect(try await client.read(until: "789") == "456789")
    }

    @Test("drip: a piece is sent each time the clock advances")
    func drip() async throws {
        let (_, client) = try await start(.drip(bytes: 4, every: .seconds(1)))
        #expect(try await client.read(until: "0123") == head + "0123")
        for piece in ["4567", "89"] {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
            #expect(try await client.read(until: piece) == piece)
        }
    }

    @Test("truncate: the connection is closed after the given number of body bytes")
    func truncate() async throws {
        let (origin, client) = try await start(.truncate(at: 3))
        let (text, ending) = try await client.readToEnd()
        #expect(text == head + "012")
        #expect(ending == .closed)
        #expect(origin.requests.map(\.bytesWritten) == [head.utf8.count + 3])
        #expect(origin.requests.map(\.ending) == [.completed])
    }

    @Test("reset: the connection is reset after the given number of body bytes")
    func reset() async throws {
        let (_, client) = try await start(.reset(at: 3))
        let (text, ending) = try await client.readToEnd()
        #expect(text == head + "012")
        #expect(ending == .reset)
    }

    @Test("wrongLength: the head has the wrong length, the body is sent, and the connection is closed")
    func wrongLength() async throws {
        let (_, client) = try await start(.wrongLength(99))
        let (text, ending) = try await client.readToEnd()
        #expect(text.hasSuffix("Content-Length: 99\r\n\r\n0123456789"))
        #expect(ending == .closed)
    }

    @Test("wrongLength: 10 GB are announced and ten bytes sent")
    func huge() async throws {
        let (_, client) = try await start(.wrongLength(10_000_000_000))
        #expect(try await client.readToEnd().text.hasSuffix("Content-Length: 10000000000\r\n\r\n0123456789"))
    }

    @Test("chunked: chunks and a last chunk are sent, and the connection stays open")
    func chunked() async throws {
        let (_, client) = try await start(.chunked(size: 8))
        let body = "8\r\n01234567\r\n2\r\n89\r\n0\r\n\r\n"
        #expect(try await client.read(until: "0\r\n\r\n").hasSuffix("Transfer-Encoding: chunked\r\n\r\n" + body))
        try await client.get("/a")
        #expect(try await client.read(until: "0\r\n\r\n").hasSuffix(body))
    }

    @Test("chunked and truncate: the connection is closed before the last chunk")
    func truncatedChunked() async throws {
        let (_, client) = try await start(.chunked(size: 8), .truncate(at: 9))
        let (text, ending) = try await client.readToEnd()
        #expect(text.hasSuffix("\r\n\r\n8\r\n01234567\r\n1\r\n8\r\n"))
        #expect(ending == .closed)
    }

    @Test("untilClose: no length is sent, and the body ends with the connection")
    func untilClose() async throws {
        let (_, client) = try await start(.untilClose)
        let (text, ending) = try await client.readToEnd()
        #expect(text == "HTTP/1.1 200 \r\nContent-Type: t\r\nAccept-Ranges: bytes\r\n\r\n0123456789")
        #expect(ending == .closed)
    }

    @Test("emptyBody: a valid response with an empty body is sent")
    func emptyBody() async throws {
        let (_, client) = try await start(.emptyBody)
        #expect(try await client.read(until: "\r\n\r\n").contains("Content-Length: 0\r\n"))
    }

    @Test("closeBeforeHead: the connection is closed without a byte")
    func closeBeforeHead() async throws {
        let (_, client) = try await start(.closeBeforeHead)
        let (text, ending) = try await client.readToEnd()
        #expect(text.isEmpty)
        #expect(ending == .closed)
    }

    @Test("closeInsideHead: the connection is closed after half of the head")
    func closeInsideHead() async throws {
        let (_, client) = try await start(.closeInsideHead)
        let (text, ending) = try await client.readToEnd()
        #expect(text.utf8.count == head.utf8.count / 2 && head.utf8.starts(with: text.utf8))
        #expect(ending == .closed)
    }

    @Test("garbageHead: bytes that are not HTTP are sent, and the connection is closed")
    func garbageHead() async throws {
        let (_, client) = try await start(.garbageHead)
        let (text, ending) = try await client.readToEnd()
        #expect(text == "\u{0}\u{FF}\u{FE}this is not HTTP\r\n\r\n0123456789")
        #expect(ending == .closed)
    }

    @Test("extraHeaders: the given number of fields of the given size is added")
    func extraHeaders() async throws {
        let (_, client) = try await start(.extraHeaders(count: 100, size: 1_000), .untilClose)
        let (text, _) = try await client.readToEnd()
        #expect(text.utf8.count > 100_000)
        #expect(text.contains("\r\nX-Extra-99: xxx"))
    }

    @Test("neverAnswers: nothing is sent, and the server notices that the client disconnects")
    func neverAnswers() async throws {
        let (origin, client) = try await start(.noResponse)
        await origin.waitForRequests(1)
        client.hangUp()
        #expect(await origin.waitForClose(of: "/a")?.bytesWritten == 0)
    }
}
#endif
