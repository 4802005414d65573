#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: many cancelled exchanges", .timeLimit(.minutes(1)))
struct CancellationStormTests {
    @Test("1,000 exchanges cancelled at once leave no connection, and the transport works")
    func atOnce() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Data(count: 1_000_000)), faults: [.holdBody(Gate(), at: 1000)])
            $0.respond("/b", with: .text("still here"))
        }
        let transport = CurlTransport()
        let url = origin.url("/a").absoluteString
        let loads = (0..<1000).map { _ in Task { () throws(ImageError) in try await transport.get(url).bytes } }
        await origin.waitForRequests(6, for: "/a")
        for load in loads { load.cancel() }
        for load in loads { await #expect(throws: ImageError.cancelled) { try await load.value } }

        #expect(try await transport.get(origin.url("/b").absoluteString).bytes == Array("still here".utf8))
        await transport.shutDown()
        #expect(try Descriptors.connected(to: origin.port).isEmpty)
        await origin.stop()
    }

    @Test("1,000 exchanges cancelled in the middle of their bodies leave no connection, and the transport works")
    func inTurn() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .bytes(Data(count: 1_000_000)))
            $0.respond("/b", with: .text("still here"))
        }
        let transport = CurlTransport()
        let request = HTTPRequest(url: origin.url("/a").absoluteString, highWatermark: 1000)
        let cancelled = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                if number >= 64 { _ = await group.next() }
                group.addTask {
                    guard let response = try? await transport.send(request) else { return false }
                    return (try? await response.body.next()) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(cancelled > 0)
        #expect(try await transport.get(origin.url("/b").absoluteString).bytes == Array("still here".utf8))
        await transport.shutDown()
        #expect(try Descriptors.connected(to: origin.port).isEmpty)
        await origin.stop()
    }
}
#endif
