#if Server
import EaselCore
import EaselServerURLs
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(.serialized)
struct SafetyTests {
    @Test func `A private address is refused by default`() async throws {
        try await RunningServer.with({ $0.routes.privateHosts = [] }) { server in
            let origin = "127.0.0.1:\(server.origin.port)"
            for host in [origin, "localhost", "10.0.0.1", "[::1]", "169.254.169.254", "2130706433"] {
                let response = try await server.get("/unsafe/w:4/plain/http://\(host)/a.png")
                #expect(response.status == 403, "\(host)")
                #expect(response.code == "forbiddenSource", "\(host)")
            }
            #expect(server.origin.requests.isEmpty)
        }
    }

    @Test func `A redirect to a private address is refused`() async throws {
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/redirect.png", with: .redirect(to: "http://10.0.0.1/a.png"))
        }) { (server) async throws in
            let response = try await server.get(server.target("w:4", "/redirect.png"))
            #expect(response.status == 403)
            #expect(response.code == "forbiddenSource")
        }
    }

    @Test func `Signatures are required and checked`() async throws {
        let key = try SigningKey(hexadecimalKey: "943b421c9eb07c83", salt: "520f986b998545b4")
        try await RunningServer.with(RunningServer.requiring(key)) { (server) async throws in
            let path = "/rs:fit:8:8/plain/\(server.origin.url("/a.png"))"
            #expect(try await server.get("/\(key.signature(of: path))\(path)").status == 200)
            #expect(try await server.get("/unsafe\(path)").status == 403)
            let changed = path.replacingOccurrences(of: "8:8", with: "9:9")
            #expect(try await server.get("/\(key.signature(of: path))\(changed)").code == "invalidSignature")
        }
    }

    @Test func `A source outside of the list is refused`() async throws {
        try await RunningServer.with({ $0.routes.urls.sources = .allowing(["https://cdn.example.com/"]) }) {
            (server) async throws in
            #expect(try await server.get(server.target("w:4")).code == "forbiddenSource")
        }
    }

    @Test func `No path leads out of the local folder`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-local-\(UUID().uuidString)")
        let root = folder.appending(path: "root")
        try FileManager.default.createDirectory(at: root.appending(path: "in"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let image = try TestImage.gradient(8, 8).encoded()
        try image.write(to: folder.appending(path: "outside.png"))
        try image.write(to: root.appending(path: "in/ä b.png"))
        try FileManager.default.createSymbolicLink(
            at: root.appending(path: "link.png"), withDestinationURL: folder.appending(path: "outside.png"))
        try FileManager.default.createSymbolicLink(at: root.appending(path: "up"), withDestinationURL: folder)
        try await RunningServer.with({ $0.routes.localRoot = root.path }) { server in
            #expect(try await server.get("/unsafe/w:4/plain/local:///in/%C3%A4%20b.png").status == 200)
            for path in [
                "../outside.png", "in/../../outside.png", "%2e%2e/outside.png", "in/%2e%2e/%2e%2e/outside.png",
                "link.png", "up/outside.png", "/outside.png", "in", "", "%00", "in/%00",
            ] {
                let response = try await server.get("/unsafe/w:4/plain/local:///\(path)")
                #expect([404, 422, 403].contains(response.status), "\(path): \(response.status)")
            }
        }
    }

    @Test func `Without a local folder there are no local sources`() async throws {
        try await RunningServer.with { (server) async throws in
            #expect(try await server.get("/unsafe/w:4/plain/local:///etc/passwd").status == 422)
        }
    }

    @Test func `A field cannot be injected`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("w:4/fn:a%0d%0aSet-Cookie:%20b=c"))
            #expect(response["set-cookie"] == nil)
        }
    }

    @Test func `Large heads are refused with 431`() async throws {
        try await RunningServer.with { server in
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET / HTTP/1.1\r\nX-Large: \(String(repeating: "x", count: 100_000))\r\n\r\n")
            #expect(try await connection.response().status == 431)
        }
    }

    @Test func `A slow head is cut off`() async throws {
        try await RunningServer.with({ $0.connections.headTimeout = .milliseconds(100) }) { server in
            let connection = try await WireConnection(port: server.port)
            try await connection.send("GET / HTTP/1.1\r\n")
            #expect(try await connection.waitForEnd() == 0)
        }
    }

    @Test func `An idle connection is closed`() async throws {
        try await RunningServer.with({ $0.connections.idleTimeout = .milliseconds(100) }) { server in
            let connection = try await WireConnection(port: server.port)
            #expect(try await connection.request("/health/live").status == 200)
            #expect(try await connection.waitForEnd() == 0)
        }
    }

    /// Runs `body` with the target of a large image, on a server that soon closes connections of slow readers.
    private func withLargeImage(
        _ body: (_ server: RunningServer, _ target: String, _ byteCount: Int) async throws -> Void
    ) async throws {
        let noise = try Noise.png(3_000_000)
        try await RunningServer.with(
            { $0.connections.writeTimeout = .milliseconds(300) },
            routes: { configuration in
                configuration.respond("/noise.png", with: .bytes(noise, type: "image/png"))
            }
        ) { server in
            try await body(server, server.target("raw:1", "/noise.png"), noise.count)
        }
    }

    @Test func `Pipelined requests of a client that does not read wait`() async throws {
        try await withLargeImage { server, target, _ in
            _ = try await server.get(target)
            let connection = try await WireConnection(port: server.port, receiveBuffer: 4096)
            let request = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
            try await connection.send(String(repeating: request, count: 64))
            try await until { try await server.metric("easel_server_slow_connections_total") == 1 }
            // As many as the buffers of the system have room for, and one that waits.
            let answered = try await server.metric("easel_server_results_total{tier=\"memory\"}") ?? 0
            #expect(answered < 16)
        }
    }

    @Test func `A client that does not read is cut off`() async throws {
        try await withLargeImage { server, target, byteCount in
            let connection = try await WireConnection(port: server.port, receiveBuffer: 4096)
            #expect(try await server.get(target).body.count == byteCount)
            let request = "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
            for _ in 0..<8 { try await connection.send(request) }
            try await until { try await server.metric("easel_server_slow_connections_total") == 1 }
            #expect(try await connection.waitForEnd() < 8 * byteCount)
        }
    }
}
#endif
