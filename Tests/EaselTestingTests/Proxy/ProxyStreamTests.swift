import Testing

@testable import EaselTesting

@Suite("Proxy stream")
struct ProxyStreamTests {
    private static let request = "GET http://images.test:80/a?b=1 HTTP/1.1\r\nHost: images.test\r\n\r\n"
    private static let forwarded = "GET /a?b=1 HTTP/1.1\r\nHost: images.test\r\n\r\n"

    @Test(
        "the absolute target of each request becomes a path for any piece size",
        arguments: [1, 7, 1000])
    func absolute(size: Int) {
        var stream = ProxyStream()
        let bytes = Array((Self.request + Self.request).utf8)
        let actions = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            stream.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        let one: [ProxyStream.Action] = [.log("GET http://images.test:80/a?b=1"), .forward(Array(Self.forwarded.utf8))]
        #expect(actions == one + one)
    }

    @Test("a target without a path is the root")
    func root() {
        var stream = ProxyStream()
        let actions = stream.receive(Array("GET http://images.test HTTP/1.1\r\n\r\n".utf8))
        #expect(actions.last == .forward(Array("GET / HTTP/1.1\r\n\r\n".utf8)))
    }

    @Test("everything after CONNECT is forwarded unchanged")
    func tunnel() {
        var stream = ProxyStream()
        let actions = stream.receive(Array("CONNECT images.test:443 HTTP/1.1\r\n\r\nabc".utf8))
        #expect(
            actions == [
                .log("CONNECT images.test:443"), .respond(Array("HTTP/1.1 200 \r\n\r\n".utf8)),
                .forward(Array("abc".utf8)),
            ])
        #expect(stream.receive(Array("d\r\n\r\n".utf8)) == [.forward(Array("d\r\n\r\n".utf8))])
    }

    @Test("a malformed request is refused")
    func malformed() {
        var stream = ProxyStream()
        let actions = stream.receive(Array("hello\r\n\r\n".utf8))
        #expect(actions.count == 1)
        guard case .respond = actions.first else {
            Issue.record("\(actions)")
            return
        }
    }
}
