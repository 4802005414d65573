import EaselCore
import Testing

@testable import EaselTransport

@Suite("Response head")
struct ResponseHeadTests {
    private func head(_ headers: HTTPHeaders, status: Int = 200) throws(ImageError) -> ResponseHead {
        var head = ResponseHead(status: status, version: "HTTP/1.1", headers: headers)
        try head.readFraming()
        return head
    }

    @Test("The body's length is the Content-Length")
    func length() throws {
        #expect(try head(["Content-Length": "123"]).bodyLength(method: "GET") == 123)
        #expect(try head([:]).bodyLength(method: "GET") == nil)
    }

    @Test("The same Content-Length twice is accepted")
    func sameLength() throws {
        #expect(try head(["Content-Length": "5, 5", "content-length": "5"]).contentLength == 5)
    }

    @Test(
        "A Content-Length that is not a number, or has several values, is refused",
        arguments: ["5, 6", "-1", "+1", "0x10", "1e3", "99999999999999999999"])
    func unclearLength(value: String) {
        #expect(throws: ImageError.invalidResponse("its length is ambiguous.")) { try head(["Content-Length": value]) }
    }

    @Test("A chunked body has no length, whatever the Content-Length (RFC 9112 6.3)")
    func chunked() throws {
        #expect(try head(["Transfer-Encoding": "Chunked", "Content-Length": "5"]).contentLength == nil)
    }

    @Test("An unrequested transfer coding is refused", arguments: ["gzip, chunked", "br"])
    func transferCoding(value: String) {
        #expect(throws: ImageError.self) { try head(["Transfer-Encoding": value]) }
    }

    @Test("An encoded body has no known length")
    func codedLength() throws {
        #expect(try head(["Content-Length": "5", "Content-Encoding": "gzip"]).bodyLength(method: "GET") == nil)
    }

    @Test("A response without a body has length 0, whatever the Content-Length")
    func noBody() throws {
        #expect(try head(["Content-Length": "5"]).bodyLength(method: "HEAD") == 0)
        #expect(try head(["Content-Length": "5"], status: 304).bodyLength(method: "GET") == 0)
        #expect(try head([:], status: 204).bodyLength(method: "GET") == 0)
    }

    @Test(
        "Content codings are recognised by name",
        arguments: [
            ("gzip", ContentCoding.gzip), ("X-GZIP", .gzip), ("deflate", .deflate), ("identity", .identity),
            ("", .identity), ("identity, gzip", .gzip), ("br", .unknown("br")), ("gzip, br", .unknown("gzip, br")),
        ])
    func coding(value: String, expected: ContentCoding) throws {
        #expect(try head(["Content-Encoding": value]).contentCoding == expected)
    }
}

@Suite("Request URL")
struct RequestURLTests {
    @Test("A valid URL is unchanged", arguments: ["http://a.example/x?y=%20#z", "HTTPS://[::1]:8443/", "http://a"])
    func passes(url: String) throws {
        #expect(try RequestURL(url).text == url)
    }

    @Test("The user and password are removed from the URL and its host")
    func cutsUserInformation() throws {
        let url = try RequestURL("https://me:p@ss@a.example:81/b@c?d=@")
        #expect(url.text == "https://a.example:81/b@c?d=@")
        #expect(url.host == "a.example:81")
    }

    @Test("The scheme determines whether the URL is secure, in any case")
    func scheme() throws {
        #expect(try RequestURL("HTTPS://a.example").isSecure)
        #expect(try !RequestURL("http://a.example").isSecure)
    }

    @Test(
        "A URL that is not absolute, encoded http or https is refused",
        arguments: [
            "", "a.example/x", "ftp://a.example/", "file:///etc/passwd", "http:/a.example", "http:///a.example",
            "http://", "http://user@/x", "http://:80/", "http://a.example/ä", "http://a.example/a b",
            "http://a.example/\r\nX: y", "http://a.example/\u{7F}", "http://a\\@b.example/", "http://a.example/\0",
        ])
    func refuses(url: String) {
        #expect {
            try RequestURL(url)
        } throws: { error in
            (error as? ImageError)?.code == .invalidURL
        }
    }

    @Test("An error does not contain the URL, which may hold a secret")
    func errorsKeepSecrets() throws {
        let error = try #require(throws: ImageError.self) { try RequestURL("ftp://me:secret@a.example/") }
        #expect(!error.description.contains("secret"))
    }
}

@Suite("HTTP header fields")
struct HTTPHeadersTests {
    @Test("names are case-insensitive (RFC 9110 5.1)")
    func names() {
        let headers: HTTPHeaders = ["Content-Type": "image/png", "ETag": "\"1\""]
        #expect(headers["content-type"] == "image/png")
        #expect(headers["CONTENT-TYPE"] == "image/png")
        #expect(headers["etag"] == "\"1\"")
        #expect(headers["Content-Typ"] == nil)
    }

    @Test("case folding applies only to letters")
    func folding() {
        let headers: HTTPHeaders = ["a@[": "1", "X_Y": "2"]
        #expect(headers["A@["] == "1")
        #expect(headers["a`{"] == nil)
        #expect(headers["X\u{7F}Y"] == nil)
    }

    @Test("order and duplicates are preserved")
    func duplicates() {
        var headers: HTTPHeaders = ["Vary": "Accept", "Date": "now"]
        headers.append(name: "vary", value: "Cookie")
        #expect(headers.fields.map(\.name) == ["Vary", "Date", "vary"])
        #expect(headers.all("VARY") == ["Accept", "Cookie"])
        #expect(headers["Vary"] == "Accept")
    }

    @Test("setting a field replaces all its duplicates, and setting nil removes them")
    func setting() {
        var headers: HTTPHeaders = ["Vary": "Accept", "Date": "now", "vary": "Cookie"]
        headers["VARY"] = "Origin"
        #expect(headers.all("vary") == ["Origin"])
        headers["vary"] = nil
        #expect(headers.fields == [.init(name: "Date", value: "now")])
    }
}
