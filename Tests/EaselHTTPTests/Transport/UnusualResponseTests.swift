import EaselCore
import EaselHTTP
import Testing

/// Responses that are legal or common but often break clients.
@Suite("Transport: unusual responses", .timeLimit(.minutes(1)))
struct UnusualResponseTests {
    private func get(_ raw: String, method: String = "GET") async throws -> (response: HTTPResponse, text: String) {
        let server = try CannedServer(raw)
        defer { server.stop() }
        let (response, bytes) = try await CurlTransport().get(server.url, method: method)
        return (response, String(decoding: bytes, as: UTF8.self))
    }

    @Test("Interim responses are dropped")
    func interim() async throws {
        let (response, text) = try await get(
            "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        #expect(response.status == 200)
        #expect(response.headers["Link"] == nil)
        #expect(text == "hi")
    }

    @Test("Trailers are part of neither the head nor the body")
    func trailers() async throws {
        let (response, text) = try await get(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: 1\r\n\r\n")
        #expect(response.headers["X-Trailer"] == nil)
        #expect(response.bodyLength == nil)
        #expect(text == "hi")
    }

    @Test("A body may end with its connection")
    func untilClose() async throws {
        #expect(try await get("HTTP/1.0 200 OK\r\n\r\nhello").text == "hello")
    }

    @Test("A status line needs no reason, a field no space and a value no UTF-8")
    func sloppyHead() async throws {
        let server = try CannedServer(
            Array("HTTP/1.1 200\r\nETag:\"v1\"\r\nX: caf".utf8) + [0xE9] + Array("\r\nContent-Length: 0\r\n\r\n".utf8))
        defer { server.stop() }
        let response = try await CurlTransport().get(server.url).response
        #expect(response.headers["etag"] == "\"v1\"")
        #expect(response.headers["X"] == "café")
    }

    @Test("A response to HEAD has no body, whatever length it announces")
    func head() async throws {
        let (response, text) = try await get("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", method: "HEAD")
        #expect(response.bodyLength == 0)
        #expect(response.headers["Content-Length"] == "100")
        #expect(text.isEmpty)
    }

    @Test("A 304 has no body, whatever length it announces")
    func notModified() async throws {
        let (response, text) = try await get("HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n")
        #expect(response.status == 304)
        #expect(text.isEmpty)
    }

    @Test("The request is sent unchanged, without user and password")
    func request() async throws {
        let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let url = "http://me:secret@127.0.0.1:\(server.port)/a%20b?c=%2F#d"
        _ = try await CurlTransport().get(url, headers: ["Accept": "image/*", "X-Empty": "", "User-Agent": "test"])
        #expect(
            server.requests == [
                "GET /a%20b?c=%2F HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAccept: image/*\r\nX-Empty:\r\n"
                    + "User-Agent: test\r\nAccept-Encoding: identity\r\n\r\n"
            ])
    }

    @Test(
        "A response that contradicts itself or HTTP is refused",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nhi", "220 mail.example ESMTP\r\n",
        ])
    func refused(raw: String) async {
        await #expect {
            try await get(raw)
        } throws: { error in
            (error as? ImageError)?.code == .invalidResponse
        }
    }

    @Test("A connection that closes inside the head is lost, not an empty success")
    func closedInsideHead() async {
        await #expect(throws: ImageError.connectionLost(received: 0, expected: nil)) {
            try await get("HTTP/1.1 200 OK\r\nContent-Ty")
        }
    }
}
