#if Server
import Foundation
import NIOCore
import Testing

@testable import EaselServerTiers

@Suite("RESP2 parser")
struct RESPParserTests {
    private static let stream =
        "+OK\r\n-ERR no\r\n:-12\r\n$5\r\nab\r\nc\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n*3\r\n:1\r\n*2\r\n+a\r\n$-1\r\n$1\r\nz\r\n"
    private static let replies: [RedisReply] = [
        .status("OK"), .error("ERR no"), .integer(-12), .bytes(Data("ab\r\nc".utf8)), .bytes(Data()), .null, .null,
        .array([]), .array([.integer(1), .array([.status("a"), .null]), .bytes(Data("z".utf8))]),
    ]

    private func parse(
        _ text: String, by size: Int = .max, limits: RESPParser.Limits = .init()
    ) throws -> [RedisReply] {
        var parser = RESPParser(limits: limits)
        var replies: [RedisReply] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            parser.append(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let reply = try parser.next() { replies.append(reply) }
        }
        return replies
    }

    @Test("all types of replies are parsed, in pieces of any size", arguments: [1, 2, 3, 7, 16, 1000])
    func pieces(size: Int) throws {
        #expect(try parse(Self.stream, by: size) == Self.replies)
    }

    @Test("a reply without its end is not returned")
    func incomplete() throws {
        let bytes = Array("*2\r\n$3\r\nabc\r\n:7\r\n".utf8)
        for count in 0..<bytes.count {
            var parser = RESPParser()
            parser.append(ByteBuffer(bytes: bytes.prefix(count)))
            #expect(try parser.next() == nil)
            #expect(parser.isInsideReply == (count > 0))
        }
    }

    @Test(
        "malformed bytes are an error",
        arguments: [
            "hello\r\n", "\r\n", "+OK\n", ":1x\r\n", ":\r\n", ":+1\r\n", ":99999999999999999999\r\n", "$-2\r\n",
            "$3\r\nabcd\r\n", "*-2\r\n", "%1\r\n", "$2\r\nab\n\r",
        ])
    func malformed(text: String) {
        #expect(throws: TierError.self) { try parse(text) }
    }

    @Test("an announced length over the limit is refused before its bytes arrive")
    func stringLimit() throws {
        let limits = RESPParser.Limits(byteCount: 10)
        #expect(throws: TierError.self) { try parse("$11\r\n", limits: limits) }
        #expect(throws: TierError.self) { try parse("*2\r\n$6\r\nabcdef\r\n$5\r\n", limits: limits) }
        #expect(try parse("$10\r\n0123456789\r\n$10\r\n0123456789\r\n", limits: limits).count == 2)
    }

    @Test("an announced count over the limit is refused before its elements arrive")
    func arrayLimit() throws {
        let limits = RESPParser.Limits(elementCount: 4, depth: 2)
        #expect(throws: TierError.self) { try parse("*5\r\n", limits: limits) }
        #expect(throws: TierError.self) { try parse("*3\r\n*2\r\n", limits: limits) }
        #expect(throws: TierError.self) { try parse("*1\r\n*1\r\n*1\r\n", limits: limits) }
        #expect(try parse("*3\r\n*1\r\n:1\r\n:2\r\n:3\r\n", limits: limits).count == 1)
    }

    @Test("a line without an end is refused at the limit")
    func lineLimit() {
        #expect(throws: TierError.self) { try parse(String(repeating: "+", count: 20_000), by: 1000) }
    }

    @Test("the lines of an array count against the limit of bytes")
    func linesInArray() {
        let limits = RESPParser.Limits(byteCount: 10)
        #expect(throws: TierError.self) { try parse("*3\r\n+abcd\r\n+abcd\r\n+abcd\r\n", limits: limits) }
    }

    @Test("random bytes end in replies or an error")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("+-:$*0123456789\r\nab".utf8)
        for _ in 0..<2000 {
            let bytes = (0..<60).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? parse(String(decoding: bytes, as: UTF8.self), by: 5)
        }
    }

    @Test("a command is an array of strings")
    func command() {
        var buffer = ByteBuffer()
        RedisCommand.set("k", Data("v\r\n".utf8), milliseconds: 10).write(to: &buffer)
        #expect(String(buffer: buffer) == "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$3\r\nv\r\n\r\n$2\r\nPX\r\n$2\r\n10\r\n")
    }
}
#endif
