#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: what an answer leaves on its connection", .timeLimit(.minutes(1)))
struct SpoiltConnectionTests {
    @Test("the rest of an answer that was longer than it said is not taken for the next one", arguments: [10, 4000])
    func rest(excess: Int) async throws {
        let never = Gate()
        let origin = try await OriginServer.start {
            // The server says 5 bytes, sends more, and leaves the connection open.
            $0.respond(
                "/long", with: .text(String(repeating: "x", count: 5 + excess)),
                faults: [
                    .wrongLength(5), .holdBody(never, at: 5 + excess),
                ])
            $0.respond("/next", with: .text("next"))
        }
        let transport = CurlTransport()
        for _ in 0..<5 {
            #expect(try await transport.get(origin.url("/long").absoluteString).bytes == Array("xxxxx".utf8))
            #expect(try await transport.get(origin.url("/next").absoluteString).bytes == Array("next".utf8))
        }
        never.open()
        await transport.shutDown()
        await origin.stop()
    }

    @Test("over a new connection what is no HTTP is asked for once and no more")
    func noLoop() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello"))
            $0.respond("/garbage", with: .text("hello"), faults: [.garbageHead])
        }
        let transport = CurlTransport()
        _ = try await transport.get(origin.url("/a").absoluteString)
        await #expect { try await transport.get(origin.url("/garbage").absoluteString) } throws: { error in
            (error as? ImageError)?.code == "invalidResponse"
        }
        // Once over the connection that was kept, and once over a new one, where it is certain.
        #expect(origin.requests(for: "/garbage").count == 2)
        await transport.shutDown()
        await origin.stop()
    }
}
#endif
