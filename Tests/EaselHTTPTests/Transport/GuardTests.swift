#if OriginServer
import EaselCore
import EaselHTTP
import EaselTesting
import Foundation
import Testing

@Suite("Transport: address guard (B90)", .timeLimit(.minutes(1)))
struct GuardTests {
    private func get(_ transport: CurlTransport, _ url: String, isGuarded: Bool = true) async -> ImageError? {
        var request = HTTPRequest(url: url)
        request.requiresPublicAddress = isGuarded
        do throws(ImageError) {
            _ = try await transport.send(request).body.all()
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "an address that is not public is refused, whatever name or notation resolves to it",
        arguments: ["127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::ffff:127.0.0.1]"])
    func refused(host: String) async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("secret")) }
        let transport = CurlTransport()
        let error = await get(transport, "http://\(host):\(origin.port)/a")
        #expect(error?.code == .forbiddenAddress, "\(String(describing: error))")
        #expect(origin.requests.isEmpty)
        // Without the guard the request succeeds, so the guard refused it.
        let unguarded = await get(transport, "http://\(host):\(origin.port)/a", isGuarded: false)
        if host != "[::ffff:127.0.0.1]" { #expect(unguarded == nil) }
        await transport.shutDown()
        await origin.stop()
    }

    @Test("a guarded request does not reuse a connection of an unguarded one")
    func pooledConnection() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("secret")) }
        let transport = CurlTransport()
        let url = "http://localhost:\(origin.port)/a"
        #expect(await get(transport, url, isGuarded: false) == nil)
        #expect(await get(transport, url)?.code == .forbiddenAddress)
        #expect(origin.requests.count == 1)
        await transport.shutDown()
        await origin.stop()
    }

    @Test("the error names the host and the kind of its address")
    func text() async throws {
        let transport = CurlTransport()
        let error = await get(transport, "http://localhost:9/a")
        #expect(error?.code == .forbiddenAddress)
        #expect(error?.message.hasPrefix("localhost:9 ") == true)
        #expect(error?.message.contains("loopback") == true)
        await transport.shutDown()
    }

    @Test("a guarded request uses no proxy, whose destination cannot be checked")
    func noProxy() async throws {
        let origin = try await OriginServer.start { $0.respond("/a", with: .text("secret")) }
        let proxy = try await ProxyServer.start(to: origin.port)
        let transport = CurlTransport(proxy: .url(proxy.url))
        #expect(await get(transport, "http://127.0.0.1:\(origin.port)/a")?.code == .forbiddenAddress)
        #expect(proxy.requests.isEmpty && origin.requests.isEmpty)
        await transport.shutDown()
        await proxy.stop()
        await origin.stop()
    }
}
#endif
