import EaselCore
import Testing

@testable import EaselHTTP

@Suite("Request head")
struct RequestHeadTests {
    @Test("Headers are sent unchanged and in order")
    func order() throws {
        let head = try RequestHead(
            method: "GET", headers: ["b": "2", "Accept": "*/*", "accept-encoding": "x", "a": "1"])
        #expect(head.lines == ["b: 2", "Accept: */*", "accept-encoding: x", "a: 1"])
    }

    @Test("The identity coding is requested by default")
    func identity() throws {
        #expect(try RequestHead(method: "GET", headers: ["Accept": "*/*"]).lines.contains("Accept-Encoding: identity"))
    }

    @Test("An Accept that libcurl would add is suppressed")
    func noAccept() throws {
        #expect(try RequestHead(method: "GET", headers: [:]).lines.contains("Accept:"))
    }

    @Test("Of a request with a body, fields that libcurl would add are suppressed")
    func body() throws {
        let head = try RequestHead(method: "PUT", headers: [:], hasBody: true)
        #expect(head.lines.suffix(2) == ["Content-Type:", "Expect:"])
        let typed = try RequestHead(method: "PUT", headers: ["Content-Type": "image/png"], hasBody: true)
        #expect(typed.lines.contains("Content-Type: image/png") && !typed.lines.contains("Content-Type:"))
    }

    @Test("An empty value is sent as empty, and does not remove the header", arguments: ["", " ", "\t"])
    func emptyValue(value: String) throws {
        #expect(try RequestHead(method: "GET", headers: ["X-Empty": value]).lines.contains("X-Empty;"))
    }

    @Test(
        "A value that could become a second line is refused",
        arguments: ["a\r\nB: c", "a\nb", "a\rb", "a\0b", "\u{1B}["])
    func badValue(value: String) {
        #expect(throws: ImageError.unsupported("The request's header X has a line break or control character in it.")) {
            try RequestHead(method: "GET", headers: ["X": value])
        }
    }

    @Test("A name that is not a token is refused", arguments: ["", "a b", "a:b", "a\r\nb", "ä", "a\0"])
    func badName(name: String) {
        #expect(throws: ImageError.unsupported("A header of the request has a name that HTTP does not allow.")) {
            try RequestHead(method: "GET", headers: [name: "v"])
        }
    }

    @Test("A method that is not a token is refused", arguments: ["", "GET /x HTTP/1.1\r\n", "G T"])
    func badMethod(method: String) {
        #expect(throws: ImageError.unsupported("The request's method is not a valid HTTP token.")) {
            try RequestHead(method: method, headers: [:])
        }
    }
}
