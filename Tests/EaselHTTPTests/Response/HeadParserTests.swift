import EaselCore
import EaselTransport
import Testing

@testable import EaselHTTP

@Suite("Head parser")
struct HeadParserTests {
    /// Passes lines as libcurl does, and returns the last head that they completed.
    private func parse(_ lines: [String], with parser: inout HeadParser) throws -> ResponseHead? {
        var head: ResponseHead?
        for line in lines {
            let bytes = Array((line + "\r\n").utf8)
            head = try bytes.withUnsafeBytes { try parser.append($0) } ?? head
        }
        return head
    }

    private func parse(_ lines: String...) throws -> ResponseHead? {
        var parser = HeadParser()
        return try parse(lines, with: &parser)
    }

    @Test("Fields keep their order, their case and their duplicates")
    func fields() throws {
        let head = try #require(try parse("HTTP/1.1 200 OK", "B: 2", "a:1", "B:  3 ", ""))
        #expect(head.status == 200)
        #expect(head.version == "HTTP/1.1")
        #expect(head.headers.fields.map(\.name) == ["B", "a", "B"])
        #expect(head.headers.fields.map(\.value) == ["2", "1", "3"])
    }

    @Test("HTTP/2's status line has no reason", arguments: ["HTTP/2 404 ", "HTTP/2 404"])
    func noReason(line: String) throws {
        let head = try #require(try parse(line, ""))
        #expect(head.status == 404)
        #expect(head.version == "HTTP/2")
    }

    @Test("A head is incomplete until the empty line")
    func incomplete() throws {
        var parser = HeadParser()
        #expect(try parse(["HTTP/1.1 200 OK", "A: 1"], with: &parser) == nil)
        #expect(!parser.isComplete)
    }

    @Test("Interim responses are dropped with their fields (RFC 9110 15.2)")
    func interim() throws {
        let head = try #require(
            try parse("HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/1.1 200 OK", ""))
        #expect(head.status == 200)
        #expect(head.headers.fields.isEmpty)
    }

    @Test("An unrequested protocol switch is refused")
    func switching() {
        #expect(throws: ImageError.self) { try parse("HTTP/1.1 101 Switching Protocols", "Upgrade: x", "") }
    }

    @Test("Lines after the head are trailers, not headers")
    func trailers() throws {
        var parser = HeadParser()
        let head = try #require(try parse(["HTTP/1.1 200 OK", ""], with: &parser))
        #expect(try parse(["X-Trailer: 1", "HTTP/1.1 500 No", ""], with: &parser) == nil)
        #expect(head.headers["X-Trailer"] == nil)
        #expect(parser.isComplete)
    }

    @Test("A folded value is joined with one space (RFC 9112 5.2)")
    func folding() throws {
        #expect(try parse("HTTP/1.1 200 OK", "A: 1", "\t 2", "")?.headers["A"] == "1 2")
    }

    @Test("A line without a colon is ignored")
    func noColon() throws {
        #expect(try parse("HTTP/1.1 200 OK", "nonsense", "A: 1", "")?.headers.fields.count == 1)
    }

    @Test("Bytes that are not UTF-8 are read as Latin-1")
    func latin1() throws {
        var parser = HeadParser()
        _ = try parse(["HTTP/1.1 200 OK"], with: &parser)
        let line: [UInt8] = Array("A: caf".utf8) + [0xE9, 0x0D, 0x0A]
        _ = try line.withUnsafeBytes { try parser.append($0) }
        #expect(try parse([""], with: &parser)?.headers["A"] == "café")
    }

    @Test("A head may have 64 KiB, and one byte more is an error")
    func limit() throws {
        let fixed = "HTTP/1.1 200 OK\r\nA: \r\n\r\n".utf8.count
        let value = String(repeating: "x", count: HeadParser.byteLimit - fixed)
        #expect(try parse("HTTP/1.1 200 OK", "A: \(value)", "") != nil)
        #expect(throws: ImageError.invalidResponse("its head is longer than 65536 bytes.")) {
            try parse("HTTP/1.1 200 OK", "A: \(value)x", "")
        }
    }

    @Test("Trailers count toward the limit")
    func trailerLimit() throws {
        var parser = HeadParser()
        _ = try parse(["HTTP/1.1 200 OK", ""], with: &parser)
        let trailer = "A: \(String(repeating: "x", count: HeadParser.byteLimit))"
        #expect(throws: ImageError.self) { try parse([trailer], with: &parser) }
    }

    @Test(
        "A head without a status line is refused",
        arguments: ["A: 1", "", "HTTP/1.1 abc", "HTTP/1.1 20", "HTTP/1.1 099"])
    func noStatus(line: String) {
        #expect(throws: ImageError.self) { try parse(line, "") }
    }

    @Test("A control character that could become a line break is refused", arguments: ["A: 1\r2", "A: 1\u{0}2"])
    func controlCharacter(line: String) {
        #expect(throws: ImageError.self) { try parse("HTTP/1.1 200 OK", line, "") }
    }
}
