#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: leftover bytes on a connection", .timeLimit(.minutes(1)))
struct LeftoverBytesTests {
    @Test("bytes beyond the announced length are not read as the next response", arguments: [10, 4000])
    func excessBytes(excess: Int) async throws {
        let gate = Gate()
        let origin = try await OriginServer.start {
            // The server announces 5 bytes, sends more, and leaves the connection open.
            $0.respond(
                "/long", with: .text(String(repeating: "x", count: 5 + excess)),
                faults: [
                    .wrongLength(5), .holdBody(gate, at: 5 + excess),
                ])
            $0.respond("/next", with: .text("next"))
        }
        let transport = CurlTransport()
        for _ in 0..<5 {
            #expect(try await transport.get(origin.url("/long").absoluteString).bytes == Array("xxxxx".utf8))
            #expect(try await transport.get(origin.url("/next").absoluteString).bytes == Array("next".utf8))
        }
        gate.open()
        await transport.shutDown()
        await origin.stop()
    }

    @Test("a response that is not HTTP is requested once more over a new connection, and then fails")
    func noLoop() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello"))
            $0.respond("/garbage", with: .text("hello"), faults: [.garbageHead])
        }
        let transport = CurlTransport()
        _ = try await transport.get(origin.url("/a").absoluteString)
        await #expect { try await transport.get(origin.url("/garbage").absoluteString) } throws: { error in
            (error as? ImageError)?.code == .invalidResponse
        }
        // Once over the pooled connection, and once over a new one.
        #expect(origin.requests(for: "/garbage").count == 2)
        await transport.shutDown()
        await origin.stop()
    }
}
#endif
