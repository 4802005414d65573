import Testing

@testable import EaselCore

@Suite("Response head")
struct ResponseHeadTests {
    private func head(_ headers: HTTPHeaders, status: Int = 200) throws(ImageError) -> ResponseHead {
        var head = ResponseHead(status: status, version: "HTTP/1.1", headers: headers)
        try head.readFraming()
        return head
    }

    @Test("The body's length is the announced one")
    func length() throws {
        #expect(try head(["Content-Length": "123"]).bodyLength(method: "GET") == 123)
        #expect(try head([:]).bodyLength(method: "GET") == nil)
    }

    @Test("The same length twice is one length")
    func sameLength() throws {
        #expect(try head(["Content-Length": "5, 5", "content-length": "5"]).contentLength == 5)
    }

    @Test(
        "Lengths that are no number or differ are refused",
        arguments: ["5, 6", "-1", "+1", "0x10", "1e3", "99999999999999999999"])
    func unclearLength(value: String) {
        #expect(throws: ImageError.invalidResponse("its length is unclear.")) { try head(["Content-Length": value]) }
    }

    @Test("Chunks have no length, whatever else is announced (RFC 9112 6.3)")
    func chunked() throws {
        #expect(try head(["Transfer-Encoding": "Chunked", "Content-Length": "5"]).contentLength == nil)
    }

    @Test("A transfer coding that was not asked for is refused", arguments: ["gzip, chunked", "br"])
    func transferCoding(value: String) {
        #expect(throws: ImageError.self) { try head(["Transfer-Encoding": value]) }
    }

    @Test("A coded body has no known length")
    func codedLength() throws {
        #expect(try head(["Content-Length": "5", "Content-Encoding": "gzip"]).bodyLength(method: "GET") == nil)
    }

    @Test("Answers that have no body say so, whatever length they announce")
    func noBody() throws {
        #expect(try head(["Content-Length": "5"]).bodyLength(method: "HEAD") == 0)
        #expect(try head(["Content-Length": "5"], status: 304).bodyLength(method: "GET") == 0)
        #expect(try head([:], status: 204).bodyLength(method: "GET") == 0)
    }

    @Test(
        "Content codings by name",
        arguments: [
            ("gzip", ContentCoding.gzip), ("X-GZIP", .gzip), ("deflate", .deflate), ("identity", .identity),
            ("", .identity), ("identity, gzip", .gzip), ("br", .unknown("br")), ("gzip, br", .unknown("gzip, br")),
        ])
    func coding(value: String, expected: ContentCoding) throws {
        #expect(try head(["Content-Encoding": value]).contentCoding == expected)
    }
}
