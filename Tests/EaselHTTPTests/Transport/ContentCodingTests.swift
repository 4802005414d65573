#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: content codings", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    private static let plain = Array(String(repeating: "<svg/>", count: 50_000).utf8)

    private func compressedResponse(_ name: String, _ bytes: [UInt8]) -> OriginResponse {
        .bytes(Data(bytes)).with(headers: ["Content-Encoding": name])
    }

    @Test("No coding is requested unless the request has one")
    func identity() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello").compressed()) }
        let transport = CurlTransport()
        _ = try await transport.get(origin.url("/a").absoluteString)
        let (response, bytes) = try await transport.get(
            origin.url("/a").absoluteString, headers: ["Accept-Encoding": "gzip"])
        #expect(origin.requests.map { $0.headers["Accept-Encoding"] } == ["identity", "gzip"])
        #expect(response.headers["Content-Encoding"] == "gzip")
        #expect(response.bodyLength == nil)
        #expect(bytes == Array("hello".utf8))
        await origin.stop()
    }

    @Test("A body is decoded even if compression was not requested")
    func unrequested() async throws {
        let responses = [
            "gzip": Deflated.gzip(Self.plain), "deflate": Deflated.zlib(Self.plain),
            "x-gzip": Deflated.gzip(Self.plain),
        ]
        let origin = try await OriginServer.start {
            for (name, bytes) in responses { $0.respond("/\(name)", with: compressedResponse(name, bytes)) }
            $0.respond("/raw", with: compressedResponse("deflate", Deflated.raw(Self.plain)))
        }
        for path in ["/gzip", "/deflate", "/x-gzip", "/raw"] {
            #expect(try await CurlTransport().get(origin.url(path).absoluteString).bytes == Self.plain)
        }
        await origin.stop()
    }

    @Test("A truncated compressed body is an error even if its length is right")
    func truncated() async throws {
        let bytes = Array(Deflated.gzip(Self.plain).dropLast(4))
        let origin = try await OriginServer.start { $0.respond("/a", with: compressedResponse("gzip", bytes)) }
        await #expect(throws: ImageError.connectionLost(received: bytes.count, expected: nil)) {
            try await CurlTransport().get(origin.url("/a").absoluteString)
        }
        await origin.stop()
    }

    @Test("An unknown coding is an error that names it, and ends the exchange")
    func unknown() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: compressedResponse("br", Array(repeating: 1, count: 50_000_000)))
        }
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(url: origin.url("/a").absoluteString))
        let expected = ImageError.invalidResponse("its body is compressed as \"br\", which Easel did not request.")
        await #expect(throws: expected) { try await response.body.next() }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("A decompression bomb is delivered in pieces no larger than the watermark")
    func bomb() async throws {
        let bomb = Deflated.gzip(Array(repeating: 0, count: 20_000_000))
        let origin = try await OriginServer.start { $0.respond("/a", with: compressedResponse("gzip", bomb)) }
        let response = try await CurlTransport().send(
            HTTPRequest(url: origin.url("/a").absoluteString, highWatermark: 10_000))
        var count = 0
        var longest = 0
        while let piece = try await response.body.next() {
            count += piece.count
            longest = max(longest, piece.count)
        }
        #expect(longest <= 10_000)
        #expect(count == 20_000_000)
        await origin.stop()
    }
}
#endif
