#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: timeouts", .timeLimit(.minutes(1)))
struct TimeoutTests {
    @Test("A server that never responds fails after the connect timeout")
    func head() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .status(200), faults: [.noResponse])
        }
        await #expect(throws: ImageError.timedOut(.connect)) {
            try await CurlTransport().get(
                origin.url("/a").absoluteString, timeouts: HTTPTimeouts(connect: .milliseconds(300)))
        }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("A host that accepts but never completes the handshake fails after the connect timeout")
    func handshake() async throws {
        let listener = try LoopbackListener()
        await #expect(throws: ImageError.timedOut(.connect)) {
            try await CurlTransport().get(
                "https://127.0.0.1:\(listener.port)/", timeouts: HTTPTimeouts(connect: .milliseconds(100)))
        }
        listener.close()
    }

    @Test("A stalled body fails after the idle timeout")
    func idle() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a", with: .text("hello"), faults: [.holdBody(Gate(), at: 2)])
        }
        await #expect(throws: ImageError.timedOut(.idle)) {
            try await CurlTransport().get(
                origin.url("/a").absoluteString, timeouts: HTTPTimeouts(idle: .milliseconds(100)))
        }
        #expect(await origin.waitForClose(of: "/a") != nil)
        await origin.stop()
    }

    @Test("A slow body is not idle")
    func drip() async throws {
        let origin = try await OriginServer.start {
            $0.respond(
                "/a", with: .bytes(Data(count: 50)), faults: [.drip(bytes: 1, every: .milliseconds(100))])
        }
        let bytes = try await CurlTransport().get(
            origin.url("/a").absoluteString, timeouts: HTTPTimeouts(idle: .seconds(4))
        ).bytes
        #expect(bytes.count == 50)
        await origin.stop()
    }

    @Test("An endless slow body fails after the total timeout")
    func total() async throws {
        let origin = try await OriginServer.start {
            $0.respond(
                "/a", with: .bytes(Data(count: 1_000_000)), faults: [.drip(bytes: 1, every: .milliseconds(10))])
        }
        await #expect(throws: ImageError.timedOut(.total)) {
            try await CurlTransport().get(
                origin.url("/a").absoluteString, timeouts: HTTPTimeouts(total: .milliseconds(200)))
        }
        await origin.stop()
    }

    @Test("Waiting for one of the host's connections does not count as connecting")
    func waitsForConnection() async throws {
        let gate = Gate()
        let origin = try await OriginServer.start {
            $0.respond("/slow", with: .text("slow"), faults: [.holdBody(gate)])
            $0.respond("/never", with: .status(200), faults: [.noResponse])
            $0.respond("/last", with: .text("last"))
        }
        let transport = CurlTransport()
        let slow = origin.url("/slow").absoluteString
        let blockers = (0..<5).map { _ in Task { () throws(ImageError) in try await transport.get(slow).bytes } }
        await origin.waitForRequests(5, for: "/slow")
        // The sixth connection times out after longer than the connect timeout of the waiting request.
        let never = origin.url("/never").absoluteString
        let timed = Task { () throws(ImageError) in
            try await transport.get(never, timeouts: HTTPTimeouts(connect: .seconds(5))).bytes
        }
        await origin.waitForRequests(1, for: "/never")
        let last = try await transport.get(
            origin.url("/last").absoluteString, timeouts: HTTPTimeouts(connect: .seconds(4))
        ).bytes
        #expect(last == Array("last".utf8))
        await #expect(throws: ImageError.timedOut(.connect)) { try await timed.value }
        gate.open()
        for blocker in blockers { #expect(try await blocker.value == Array("slow".utf8)) }
        await origin.stop()
    }
}
#endif
