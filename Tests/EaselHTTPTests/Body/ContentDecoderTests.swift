import EaselCore
import Testing

@testable import EaselHTTP

@Suite("Content decoder")
struct ContentDecoderTests {
    /// Text that compresses, but not to nothing.
    private static let plain = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

    /// Decodes `bytes`, fed in pieces of `step`, and checks that no piece is empty or over the limit.
    private func decode(
        _ coding: ContentCoding, _ bytes: [UInt8], step: Int = 1000, limit: Int = 4096
    ) throws(ImageError) -> [UInt8] {
        var decoder = try ContentDecoder(coding)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            decoder.feed(Array(bytes[start..<min(start + step, bytes.count)]))
            while let piece = try decoder.next(limit: limit) {
                #expect(!piece.isEmpty && piece.count <= limit)
                decoded += piece
            }
        }
        try decoder.finish()
        return decoded
    }

    @Test("gzip, in input of any size and output of any size", arguments: [1, 7, 1000, 100_000], [1, 100, 100_000])
    func gzip(step: Int, limit: Int) throws {
        #expect(try decode(.gzip, Deflated.gzip(Self.plain), step: step, limit: limit) == Self.plain)
    }

    @Test("deflate is zlib's format, as the standard says (RFC 9110 8.4.1.2)", arguments: [1, 1000])
    func zlib(step: Int) throws {
        #expect(try decode(.deflate, Deflated.zlib(Self.plain), step: step) == Self.plain)
    }

    @Test("deflate is raw where a server means that", arguments: [1, 1000])
    func raw(step: Int) throws {
        #expect(try decode(.deflate, Deflated.raw(Self.plain), step: step) == Self.plain)
    }

    @Test("gzip members are one body (RFC 1952 2.2)", arguments: [1, 1000, 100_000])
    func members(step: Int) throws {
        let bytes = Deflated.gzip(Self.plain) + Deflated.gzip([]) + Deflated.gzip([1, 2, 3])
        #expect(try decode(.gzip, bytes, step: step) == Self.plain + [1, 2, 3])
    }

    @Test("Padding behind the end is passed over", arguments: [ContentCoding.gzip, .deflate])
    func padding(coding: ContentCoding) throws {
        let bytes = coding == .gzip ? Deflated.gzip(Self.plain) : Deflated.zlib(Self.plain)
        #expect(try decode(coding, bytes + [0, 0, 0, 0]) == Self.plain)
    }

    @Test("A body of no bytes is whole", arguments: [ContentCoding.gzip, .deflate])
    func empty(coding: ContentCoding) throws {
        #expect(try decode(coding, []).isEmpty)
    }

    @Test("A stream cut anywhere is an error, not a short body", arguments: [ContentCoding.gzip, .deflate])
    func truncated(coding: ContentCoding) throws {
        let whole = coding == .gzip ? Deflated.gzip([1, 2, 3, 4, 5]) : Deflated.zlib([1, 2, 3, 4, 5])
        for count in 1..<whole.count {
            #expect(throws: ImageError.connectionLost(received: count, expected: nil)) {
                try decode(coding, Array(whole[..<count]))
            }
        }
    }

    @Test("A second member cut short is an error")
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

    @Test("What is no gzip at all is an error")
    func noGzip() {
        #expect(throws: ImageError.invalidResponse("its compressed body is damaged.")) {
            try decode(.gzip, Array("<html></html>".utf8))
        }
    }

    @Test("A bomb is inflated no further than its reader asks")
    func bomb() throws {
        let bomb = Deflated.gzip(Array(repeating: 0, count: 10_000_000))
        #expect(bomb.count < 20_000)
        var decoder = try ContentDecoder(.gzip)
        decoder.feed(bomb)
        var count = 0
        while let piece = try decoder.next(limit: 1000) {
            #expect(piece.count <= 1000)
            count += piece.count
            if count >= 5000 { break }
        }
        #expect(count == 5000)
    }

    @Test("An unknown coding is named in the error")
    func unknown() {
        let expected = ImageError.invalidResponse("its body is compressed as \"br\", which Easel did not ask for.")
        #expect(throws: expected) { try decode(.unknown("br"), [1]) }
    }
}
