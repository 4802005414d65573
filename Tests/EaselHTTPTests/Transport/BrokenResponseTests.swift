#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: broken responses", .timeLimit(.minutes(1)))
struct BrokenResponseTests {
    /// Reads a body of 50,000 bytes with these faults, and returns the bytes received and the error.
    private func read(_ faults: [OriginFault]) async throws -> (count: Int, error: ImageError?) {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Data(repeating: 1, count: 50_000)), faults: faults)
        }
        var count = 0
        var failure: ImageError?
        do throws(ImageError) {
            let response = try await CurlTransport().send(HTTPRequest(url: origin.url("/a").absoluteString))
            while let piece = try await response.body.next() { count += piece.count }
        } catch {
            failure = error
        }
        await origin.stop()
        return (count, failure)
    }

    @Test("A body shorter than announced is an error after all received bytes")
    func truncated() async throws {
        let (count, error) = try await read([.truncate(at: 30_000)])
        #expect(count == 30_000)
        #expect(error == .connectionLost(received: 30_000, expected: 50_000))
    }

    @Test("A chunked body without its last chunk is an error after all received bytes")
    func truncatedChunks() async throws {
        let (count, error) = try await read([.chunked(), .truncate(at: 30_000)])
        #expect(count == 30_000)
        #expect(error == .connectionLost(received: 30_000, expected: nil))
    }

    @Test("A length that is too large is an error")
    func wrongLength() async throws {
        #expect(
            try await read([.wrongLength(10_000_000_000)]).error
                == .connectionLost(received: 50_000, expected: 10_000_000_000))
    }

    @Test("A reset is an error")
    func reset() async throws {
        guard try await read([.reset(at: 30_000)]).error?.message.contains("of 50000 bytes") == true else {
            Issue.record("The reset was not reported.")
            return
        }
    }

    @Test(
        "A connection closed before or inside the head is lost",
        arguments: [OriginFault.closeBeforeHead, .closeInsideHead])
    func closed(fault: OriginFault) async throws {
        #expect(try await read([fault]).error == .connectionLost(received: 0, expected: nil))
    }

    @Test("Bytes that are not HTTP are an invalid response")
    func garbage() async throws {
        #expect(try await read([.garbageHead]).error == .invalidResponse("it is not HTTP."))
    }

    @Test("A head over 64 KiB is an invalid response")
    func longHead() async throws {
        let error = try await read([.extraHeaders(count: 70, size: 1000)]).error
        #expect(error == .invalidResponse("its head is longer than 65536 bytes."))
    }

    @Test("A refused connection is reported as such")
    func refused() async throws {
        let origin = try await OriginServer.start()
        let port = origin.port
        await origin.stop()
        await #expect(throws: ImageError.unreachable(host: "127.0.0.1:\(port)", reason: "connection refused")) {
            try await CurlTransport().get("http://127.0.0.1:\(port)/")
        }
    }

    @Test("A name that does not exist is an unreachable host (RFC 6761 6.4)")
    func unknownHost() async {
        let expected = ImageError.unreachable(host: "nowhere.invalid", reason: "no address is known for this name")
        await #expect(throws: expected) { try await CurlTransport().get("http://me:secret@nowhere.invalid/") }
    }
}
#endif
