#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@Suite("Origin server: request log", .timeLimit(.minutes(1)))
struct OriginLogTests {
    @Test("A request is logged with its method, path, query and fields")
    func request() async throws {
        let origin = try await OriginServer.start()
        let client = try await WireClient(port: origin.port)
        try await client.send(
            "HEAD /a%20b?c=d?e HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nx-a: 2\r\nConnection: close\r\n\r\n")
        let request = await origin.waitForRequests(1).first
        #expect(request?.method == "HEAD")
        #expect(request?.path == "/a%20b")
        #expect(request?.query == "c=d?e")
        #expect(request?.headers.all("X-A") == ["1", "2"])
        #expect(request?.keepsAlive == false)
    }

    @Test("Requests are found by their path, whatever the query")
    func byPath() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text(".")) }
        let client = try await WireClient(port: origin.port)
        for target in ["/a", "/b", "/a?x"] { try await client.get(target) }
        await origin.waitForRequests(3)
        #expect(origin.requests(for: "/a").map(\.number) == [0, 2])
        #expect(await origin.waitForRequests(1, for: "/b").map(\.number) == [1])
    }

    @Test("Connections have different numbers")
    func connections() async throws {
        let origin = try await OriginServer.start()
        for _ in 0..<2 {
            let client = try await WireClient(port: origin.port)
            try await client.get("/a", "Connection: close")
            _ = try await client.readToEnd()
        }
        #expect(origin.requests.map(\.connection) == [0, 1])
    }

    @Test("A fully sent response is logged as answered, whenever the client disconnects")
    func logsAnswers() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        _ = try await client.read(until: "hello")
        client.hangUp()
        await origin.wait { $0.first?.ending != nil }
        #expect(origin.requests.map(\.ending) == [.completed])
    }

    @Test("A client that disconnects in the middle of a body is logged")
    func closedByClient() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("0123456789"), faults: [.holdBody(Gate(), at: 4)])
        }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        _ = try await client.read(until: "0123")
        client.hangUp()
        #expect(await origin.waitForClose(of: "/a")?.ending == .closedByClient)
    }

    @Test("A client that does not read pauses the server's writes")
    func backPressure() async throws {
        let count = 64 << 20
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Data(count: count)))
        }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        _ = try await client.read(atLeast: 1)
        client.hangUp()
        let request = await origin.waitForClose(of: "/a")
        #expect((request?.bytesWritten ?? 0) < count)
    }

    @Test("A cancelled wait returns the requests so far")
    func cancelledWait() async throws {
        let origin = try await OriginServer.start()
        let waiting = Task { await origin.waitForRequests(1) }
        waiting.cancel()
        #expect(await waiting.value.isEmpty)
    }

    @Test("Responses that a stopping server interrupts have no ending")
    func stopped() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .status(200), faults: [.noResponse]) }
        let client = try await WireClient(port: origin.port)
        try await client.get("/a")
        await origin.waitForRequests(1)
        await origin.stop()
        _ = try await client.readToEnd()
        #expect(origin.requests.map(\.ending) == [nil])
    }

    @Test("A client that does not send HTTP is disconnected and not logged")
    func noHTTP() async throws {
        let origin = try await OriginServer.start()
        let client = try await WireClient(port: origin.port)
        try await client.send("what is this\r\n\r\n")
        #expect(try await client.readToEnd().ending == .closed)
        #expect(origin.requests.isEmpty)
    }
}
#endif
