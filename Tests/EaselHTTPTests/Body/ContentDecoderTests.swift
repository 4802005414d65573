import EaselCore
import EaselTransport
import Testing

@testable import EaselHTTP

@Suite("Content decoder")
struct ContentDecoderTests {
    /// Moderately compressible bytes.
    private static let plain = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    /// Decodes `bytes` in pieces of `step` bytes, and checks that no output piece is empty or over the limit.
    private func decode(
        _ coding: ContentCoding, _ bytes: [UInt8], step: Int = 1000, limit: Int = 4096
    ) throws(ImageError) -> [UInt8] {
        var decoder = try ContentDecoder(coding)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            decoder.append(Array(bytes[start..<min(start + step, bytes.count)]))
            while let piece = try decoder.next(limit: limit) {
                #expect(!piece.isEmpty && piece.count <= limit)
                decoded += piece
            }
        }
        try decoder.finish()
        return decoded
    }

    @Test("gzip is decoded for any input and output sizes", arguments: [1, 7, 1000, 100_000], [1, 100, 100_000])
    func gzip(step: Int, limit: Int) throws {
        #expect(try decode(.gzip, Deflated.gzip(Self.plain), step: step, limit: limit) == Self.plain)
    }

    @Test("deflate is decoded as the zlib format (RFC 9110 8.4.1.2)", arguments: [1, 1000])
    func zlib(step: Int) throws {
        #expect(try decode(.deflate, Deflated.zlib(Self.plain), step: step) == Self.plain)
    }

    @Test("raw deflate is also accepted", arguments: [1, 1000])
    func raw(step: Int) throws {
        #expect(try decode(.deflate, Deflated.raw(Self.plain), step: step) == Self.plain)
    }

    @Test("several gzip members form one body (RFC 1952 2.2)", arguments: [1, 1000, 100_000])
    func members(step: Int) throws {
        let bytes = Deflated.gzip(Self.plain) + Deflated.gzip([]) + Deflated.gzip([1, 2, 3])
        #expect(try decode(.gzip, bytes, step: step) == Self.plain + [1, 2, 3])
    }

    @Test("Padding after the end is ignored", arguments: [ContentCoding.gzip, .deflate])
    func padding(coding: ContentCoding) throws {
        let bytes = coding == .gzip ? Deflated.gzip(Self.plain) : Deflated.zlib(Self.plain)
        #expect(try decode(coding, bytes + [0, 0, 0, 0]) == Self.plain)
    }

    @Test("An empty body is complete", arguments: [ContentCoding.gzip, .deflate])
    func empty(coding: ContentCoding) throws {
        #expect(try decode(coding, []).isEmpty)
    }

    @Test("A stream truncated at any byte is an error, not a short body", arguments: [ContentCoding.gzip, .deflate])
    func truncated(coding: ContentCoding) throws {
        let complete = coding == .gzip ? Deflated.gzip([1, 2, 3, 4, 5]) : Deflated.zlib([1, 2, 3, 4, 5])
        for count in 1..<complete.count {
            #expect(throws: ImageError.connectionLost(received: count, expected: nil)) {
                try decode(coding, Array(complete[..<count]))
            }
        }
    }

    @Test("A truncated second member is an error")
    func truncatedMember() {
        let bytes = Deflated.gzip([1]) + Deflated.gzip([2]).dropLast()
        #expect(throws: ImageError.connectionLost(received: bytes.count, expected: nil)) { try decode(.gzip, bytes) }
    }

    @Test("Damaged data is an error")
    func damaged() {
        var bytes = Deflated.gzip(Self.plain)
        bytes[bytes.count - 6] ^= 0xFF
        #expect(throws: ImageError.invalidResponse("its compressed body is damaged.")) { try decode(.gzip, bytes) }
    }

    @Test("Data that is not gzip is an error")
    func noGzip() {
        #expect(throws: ImageError.invalidResponse("its compressed body is damaged.")) {
            try decode(.gzip, Array("<html></html>".utf8))
        }
    }

    @Test("A decompression bomb is inflated only as far as its reader requests")
    func bomb() throws {
        let bomb = Deflated.gzip(Array(repeating: 0, count: 10_000_000))
        #expect(bomb.count < 20_000)
        var decoder = try ContentDecoder(.gzip)
        decoder.append(bomb)
        var count = 0
        while let piece = try decoder.next(limit: 1000) {
            #expect(piece.count <= 1000)
            count += piece.count
            if count >= 5000 { break }
        }
        #expect(count == 5000)
    }

    @Test("Input without output is an error", arguments: ["padding", "empty blocks"])
    func endless(kind: String) {
        let block: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
        let start = kind == "padding" ? Deflated.raw([1]) : []
        let bytes = start + repeatElement(block, count: 20_000).joined()
        #expect(throws: ImageError.invalidResponse("its compressed body is far larger than its content.")) {
            try decode(.deflate, bytes)
        }
    }

    @Test("A gzip member for each byte is decoded")
    func smallMembers() throws {
        let bytes = Array(repeatElement(Deflated.gzip([1]), count: 10_000).joined())
        #expect(bytes.count > 200_000)
        #expect(try decode(.gzip, bytes) == Array(repeating: 1, count: 10_000))
    }

    @Test("The error names an unknown coding")
    func unknown() {
        let expected = ImageError.invalidResponse("its body is compressed as \"br\", which Easel did not request.")
        #expect(throws: expected) { try decode(.unknown("br"), [1]) }
    }
}
