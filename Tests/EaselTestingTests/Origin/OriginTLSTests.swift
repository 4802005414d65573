#if OriginServerTLS
import EaselCore
import EaselTesting
import Foundation
import NIOSSL
import Testing

@Suite("Origin server: TLS", .timeLimit(.minutes(1)))
struct OriginTLSTests {
    private func start(_ certificate: OriginCertificate, faults: [OriginFault]) async throws -> OriginServer {
        try await OriginServer.start {
            $0.tls = certificate
            $0.respond("/a", with: .text("0123456789"), faults: faults)
        }
    }

    @Test("A client that trusts the test certificate gets its response")
    func trusted() async throws {
        let origin = try await start(.testCertificate, faults: [.untilClose])
        #expect(origin.url("/a").absoluteString == "https://127.0.0.1:\(origin.port)/a")
        #expect(
            try await TLSClient.get("/a", from: origin, trusting: .testCertificate).hasSuffix("\r\n\r\n0123456789"))
    }

    @Test("A client that does not trust it sends no request")
    func untrusted() async throws {
        let origin = try await start(.testCertificate, faults: [.untilClose])
        await #expect(throws: NIOSSLError.self) {
            try await TLSClient.get("/a", from: origin, trusting: .expired)
        }
        #expect(origin.requests.isEmpty)
    }

    @Test("The expired certificate is refused even if it is trusted")
    func expired() async throws {
        let origin = try await start(.expired, faults: [.untilClose])
        await #expect(throws: NIOSSLError.self) {
            try await TLSClient.get("/a", from: origin, trusting: .expired)
        }
        #expect(origin.requests.isEmpty)
    }

    @Test("truncate works over TLS")
    func truncate() async throws {
        let origin = try await start(.testCertificate, faults: [.truncate(at: 3)])
        #expect(try await TLSClient.get("/a", from: origin, trusting: .testCertificate).hasSuffix("\r\n\r\n012"))
    }

    @Test("reset sends no TLS close notification")
    func reset() async throws {
        let origin = try await start(.testCertificate, faults: [.reset(at: 3)])
        await #expect(throws: (any Error).self) {
            try await TLSClient.get("/a", from: origin, trusting: .testCertificate)
        }
        #expect(origin.requests.map(\.ending) == [.completed])
    }

    @Test("An invalid certificate is an error")
    func badCertificate() async {
        let error = await #expect(throws: ImageError.self) {
            _ = try await start(OriginCertificate(certificate: "no", privateKey: "no"), faults: [])
        }
        #expect(error?.code == .insecure)
    }
}
#endif
