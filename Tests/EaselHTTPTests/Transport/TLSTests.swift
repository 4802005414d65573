#if OriginServerTLS
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    private func start(_ certificate: OriginCertificate = .testCertificate) async throws -> OriginServer {
        try await OriginServer.start {
            $0.tls = certificate
            $0.respond("/a", with: .text("hello"))
        }
    }

    @Test("An untrusted certificate is refused before a request is sent")
    func selfSigned() async throws {
        let origin = try await start()
        await #expect {
            try await CurlTransport().get(origin.url("/a").absoluteString)
        } throws: { error in
            guard let error = error as? ImageError, error.code == .insecure else { return false }
            return error.message.contains("127.0.0.1:\(origin.port)") && error.message.contains("self-signed")
        }
        #expect(origin.requests.isEmpty)
        await origin.stop()
    }

    @Test("A request can accept any certificate (S084)", arguments: [OriginCertificate.testCertificate, .expired])
    func allowed(certificate: OriginCertificate) async throws {
        let origin = try await start(certificate)
        let bytes = try await CurlTransport().get(
            origin.url("/a").absoluteString, allowsInvalidCertificates: true
        ).bytes
        #expect(bytes == Array("hello".utf8))
        await origin.stop()
    }

    @Test("A request that verifies certificates does not reuse a connection of a request that did not")
    func notShared() async throws {
        let origin = try await start()
        let transport = CurlTransport()
        let url = origin.url("/a").absoluteString
        _ = try await transport.get(url, allowsInvalidCertificates: true)
        await #expect {
            try await transport.get(url)
        } throws: { error in
            (error as? ImageError)?.code == .insecure
        }
        #expect(origin.requests.count == 1)
        await origin.stop()
    }

    @Test("A body that ends with the connection must end with a TLS close notification")
    func truncation() async throws {
        let origin = try await start()
        origin.respond("/cut", with: .bytes(Data(count: 5000)), faults: [.untilClose, .reset(at: 1000)])
        await #expect {
            try await CurlTransport().get(origin.url("/cut").absoluteString, allowsInvalidCertificates: true)
        } throws: { error in
            (error as? ImageError)?.code == .connectionLost
        }
        await origin.stop()
    }
}
#endif
