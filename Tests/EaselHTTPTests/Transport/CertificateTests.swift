#if OriginServerTLS
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

/// The checks of a server's certificate (S084, S193, X144).
@Suite("Transport: certificates", .timeLimit(.minutes(1)))
struct CertificateTests {
    enum Trust: CaseIterable { case system, file, any }

    /// Only a valid and trusted certificate passes, unless any is allowed.
    @Test(
        "a valid certificate, an expired one and one of another host are checked under each policy", arguments: 0..<3,
        Trust.allCases)
    func policies(index: Int, trust: Trust) async throws {
        let certificate = [OriginCertificate.testCertificate, .expired, .otherHost][index]
        let passes = trust == .any || trust == .file && index == 0
        let origin = try await OriginServer.start {
            $0.tls = certificate
            $0.respond("/a", with: .text("hello"))
        }
        let transport = CurlTransport()
        try await CertificateFiles.with(certificate) { files in
            var request = HTTPRequest(
                url: "https://localhost:\(origin.port)/a", allowsInvalidCertificates: trust == .any)
            if trust == .file { request.security.trustedCertificateFile = files.certificate }
            do throws(ImageError) {
                let body = try await transport.send(request).body.all()
                #expect(passes && body == Array("hello".utf8))
            } catch {
                #expect(!passes && error.code == .insecure, "\(error)")
            }
        }
        #expect(origin.requests.count == (passes ? 1 : 0))
        await transport.shutDown()
        await origin.stop()
    }

    @Test("a request with only the system's trust does not reuse a connection of one with a trust file")
    func notShared() async throws {
        let origin = try await OriginServer.start {
            $0.tls = .testCertificate
            $0.respond("/a", with: .text("hello"))
        }
        let transport = CurlTransport()
        try await CertificateFiles.with(.testCertificate) { files in
            var request = HTTPRequest(url: origin.url("/a").absoluteString)
            request.security.trustedCertificateFile = files.certificate
            _ = try await transport.send(request).body.all()
            await #expect { try await transport.get(origin.url("/a").absoluteString) } throws: { error in
                (error as? ImageError)?.code == .insecure
            }
        }
        await transport.shutDown()
        await origin.stop()
    }

    @Test("a server that requires a client certificate receives it, and refuses a client without one")
    func clientCertificate() async throws {
        let origin = try await OriginServer.start {
            $0.tls = .testCertificate
            $0.clientCertificate = .client
            $0.respond("/a", with: .text("hello"))
        }
        let transport = CurlTransport()
        try await CertificateFiles.with(.client) { files in
            var request = HTTPRequest(url: origin.url("/a").absoluteString, allowsInvalidCertificates: true)
            let anonymous = request
            await #expect(throws: ImageError.self) { try await transport.send(anonymous).body.all() }
            #expect(origin.requests.isEmpty)
            request.security.clientCertificate = .init(certificateFile: files.certificate, keyFile: files.key)
            let authenticated = request
            let body = try await transport.send(authenticated).body.all()
            #expect(body == Array("hello".utf8))
            // The connection is not shared with requests that lack the certificate.
            await #expect(throws: ImageError.self) { try await transport.send(anonymous).body.all() }
            #expect(origin.requests.count == 1)
        }
        await transport.shutDown()
        await origin.stop()
    }

    @Test(
        "a trust file that is missing or not a certificate is an error", arguments: ["/none", "/dev/null"])
    func missingFile(path: String) async throws {
        let origin = try await OriginServer.start {
            $0.tls = .testCertificate
            $0.respond("/a", with: .text("hello"))
        }
        var request = HTTPRequest(url: origin.url("/a").absoluteString)
        request.security.trustedCertificateFile = path
        let transport = CurlTransport()
        let sent = request
        await #expect { try await transport.send(sent) } throws: { ($0 as? ImageError)?.code == .insecure }
        #expect(origin.requests.isEmpty)
        await transport.shutDown()
        await origin.stop()
    }
}
#endif
