#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: proxies", .timeLimit(.minutes(1)))
struct ProxyTests {
    @Test("plain requests go to the proxy with their absolute URL, several over one connection")
    func plain() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("hello")) }
        let proxy = try await ProxyServer.start(to: origin.port)
        let transport = CurlTransport(proxy: .url(proxy.url))
        for _ in 0..<2 {
            #expect(try await transport.get("http://images.test/a").bytes == Array("hello".utf8))
        }
        #expect(proxy.requests == ["GET http://images.test/a", "GET http://images.test/a"])
        #expect(origin.requests.map { $0.headers["Host"] } == ["images.test", "images.test"])
        await transport.shutDown()
        await proxy.stop()
        await origin.stop()
    }

    #if OriginServerTLS
    @Test("requests over TLS go through a tunnel, and the server's certificate is checked")
    func tunnel() async throws {
        let origin = try await OriginServer.start {
            $0.tls = .testCertificate
            $0.respond("/a", with: .text("hello"))
        }
        let proxy = try await ProxyServer.start(to: origin.port)
        let transport = CurlTransport(proxy: .url(proxy.url))
        try await CertificateFiles.with(.testCertificate) { files in
            var request = HTTPRequest(url: "https://localhost/a")
            request.security.trustedCertificateFile = files.certificate
            let trusting = request
            let body = try await transport.send(trusting).body.all()
            #expect(body == Array("hello".utf8))
            #expect(proxy.requests == ["CONNECT localhost:443"])
            request.url = "https://images.test/a"
            let other = request
            await #expect { try await transport.send(other) } throws: { ($0 as? ImageError)?.code == .insecure }
        }
        await transport.shutDown()
        await proxy.stop()
        await origin.stop()
    }
    #endif

    @Test("a proxy that is not running is an unreachable host")
    func unreachable() async throws {
        let listener = try LoopbackListener()
        let port = listener.port
        listener.close()
        let transport = CurlTransport(proxy: .url("http://127.0.0.1:\(port)"))
        await #expect { try await transport.get("http://images.test/a") } throws: { error in
            (error as? ImageError)?.code == .unreachable
        }
        await transport.shutDown()
    }
}
#endif
