#if Server
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@testable import EaselServer

@Suite(.serialized)
struct ImageResponseTests {
    @Test func `An image is resized and encoded`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("rs:fit:32:32"))
            #expect(response.status == 200)
            #expect(response["content-type"] == "image/png")
            #expect(try response.image().size == PixelSize(32, 24))
            #expect(response["x-content-type-options"] == "nosniff")
            #expect(response["access-control-allow-origin"] == "*")
            #expect(response["accept-ranges"] == "bytes")
        }
    }

    @Test(arguments: [
        ("image/avif,image/webp,*/*", "image/avif"), ("image/webp", "image/webp"), ("image/*,*/*", "image/jpeg"),
        ("image/avif;q=0,image/webp", "image/webp"),
    ])
    func `Accept chooses the format`(accept: String, type: String) async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("w:16", "/a.jpg"), ["Accept": accept])
            #expect(response["content-type"] == type)
            #expect(response["vary"] == "Accept")
        }
    }

    @Test func `A format in the URL precedes Accept`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(
                server.target("w:16", extension: "@jpg"), ["Accept": "image/avif"])
            #expect(response["content-type"] == "image/jpeg")
            #expect(response["vary"] == nil)
        }
    }

    @Test func `A client that has the result receives 304`() async throws {
        try await RunningServer.with { server in
            let target = server.target("w:16")
            let first = try await server.get(target)
            let tag = try #require(first["etag"])
            #expect(tag.hasPrefix("\""))
            let second = try await server.get(target, ["If-None-Match": "W/\(tag)"])
            #expect(second.status == 304)
            #expect(second["etag"] == tag)
            #expect(second["cache-control"] == first["cache-control"])
            #expect(second["content-type"] == nil)
        }
    }

    @Test func `The tag changes with the options and with the source`() async throws {
        try await RunningServer.with { server in
            var tags: Set<String?> = []
            for target in [server.target("w:16"), server.target("w:17"), server.target("w:16", "/a.jpg")] {
                tags.insert(try await server.get(target)["etag"])
            }
            #expect(tags.count == 3)
        }
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        try await RunningServer.with { server in
            let connection = try await WireConnection(port: server.port)
            let target = server.target("w:16")
            let head = try await connection.request(target, method: "HEAD")
            let whole = try await connection.request(target)
            #expect(head.status == 200)
            #expect(head["content-length"] == "\(whole.body.count)")
            #expect(head["etag"] == whole["etag"])
        }
    }

    @Test func `A range of a result is answered`() async throws {
        try await RunningServer.with { server in
            let target = server.target("w:16")
            let whole = try await server.get(target)
            let part = try await server.get(target, ["Range": "bytes=10-19"])
            #expect(part.status == 206)
            #expect(part["content-range"] == "bytes 10-19/\(whole.body.count)")
            #expect(part.body == whole.body.dropFirst(10).prefix(10))
            let outside = try await server.get(target, ["Range": "bytes=100000-"])
            #expect(outside.status == 416)
            #expect(outside["content-range"] == "bytes */\(whole.body.count)")
        }
    }

    @Test func `Client hints apply if the server uses them`() async throws {
        try await RunningServer.with({ $0.routes.usesClientHints = true }) { server in
            let response = try await server.get(server.target("w:16"), ["DPR": "2"])
            #expect(try response.image().size == PixelSize(32, 24))
            #expect(response["vary"] == "Accept, DPR, Sec-CH-DPR")
            #expect(response["accept-ch"] != nil)
        }
    }

    @Test func `The lifetime of the source is that of the result`() async throws {
        try await RunningServer.with(routes: { configuration in
            var response = OriginResponse.image(.gradient(8, 8))
            response.headers["Cache-Control"] = "max-age=600, stale-while-revalidate=30"
            configuration.respond("/fresh.png", with: response)
            response.headers["Cache-Control"] = "no-store"
            configuration.respond("/secret.png", with: response)
            response.headers["Cache-Control"] = "private, max-age=60"
            configuration.respond("/own.png", with: response)
        }) { server in
            let fresh = try await server.get(server.target("w:4", "/fresh.png"))
            let values = [600, 599].map { "public, max-age=\($0), stale-while-revalidate=30" }
            #expect(values.contains(fresh["cache-control"] ?? ""))
            #expect(fresh["expires"]?.hasSuffix(" GMT") == true)
            let secret = try await server.get(server.target("w:4", "/secret.png"))
            #expect(secret["cache-control"] == "no-store")
            _ = try await server.get(server.target("w:4", "/secret.png"))
            #expect(server.origin.requests(for: "/secret.png").count == 2)
            let own = try await server.get(server.target("w:4", "/own.png"))
            #expect(own["cache-control"]?.hasPrefix("private, max-age=") == true)
        }
    }

    @Test func `The lifetime of shared caches is that of the result, and browsers have their own`() async throws {
        try await RunningServer.with(routes: { configuration in
            var response = OriginResponse.image(.gradient(8, 8))
            response.headers["Cache-Control"] = "max-age=60, s-maxage=6000"
            configuration.respond("/both.png", with: response)
            response.headers["Cache-Control"] = "max-age=0, s-maxage=6000"
            configuration.respond("/shared.png", with: response)
            response.headers["Cache-Control"] = "max-age=6000, s-maxage=0"
            configuration.respond("/stale.png", with: response)
        }) { server in
            let both = try await server.get(server.target("w:4", "/both.png"))
            let values = [6000, 5999].map { "public, max-age=60, s-maxage=\($0)" }
            #expect(values.contains(both["cache-control"] ?? ""))
            for _ in 0..<2 { _ = try await server.get(server.target("w:4", "/shared.png")) }
            #expect(server.origin.requests(for: "/shared.png").count == 1)
            for _ in 0..<2 { _ = try await server.get(server.target("w:4", "/stale.png")) }
            #expect(server.origin.requests(for: "/stale.png").count == 2)
        }
    }

    @Test func `The end of a URL is that of its own responses only`() async throws {
        try await RunningServer.with(routes: { configuration in
            var response = OriginResponse.image(.gradient(8, 8))
            response.headers["Cache-Control"] = "max-age=6000"
            configuration.respond("/fresh.png", with: response)
        }) { server in
            func seconds(_ options: String) async throws -> Int {
                let field = try await server.get(server.target(options, "/fresh.png"))["cache-control"]
                return Int(field?.split(separator: "=").last ?? "") ?? 0
            }
            let soon = Int(Date().timeIntervalSince1970) + 600
            for _ in 0..<2 {
                let limited = try await seconds("w:4/exp:\(soon)")
                #expect((1...600).contains(limited))
            }
            #expect(try await seconds("w:4") > 600)
            #expect(try await server.metric("easel_server_results_total{tier=\"memory\"}") == 2)
        }
    }

    @Test func `A fixed lifetime replaces that of the source`() async throws {
        try await RunningServer.with({ $0.routes.fixedLifetime = .seconds(5000) }) { server in
            let response = try await server.get(server.target("w:4"))
            #expect(response["cache-control"]?.hasPrefix("public, max-age=") == true)
            #expect(Int(response["cache-control"]?.split(separator: "=").last ?? "") ?? 0 > 4900)
        }
    }

    @Test(arguments: [("@webp", 3, 12), ("@gif", 3, 12), ("@jpg", 1, 12)])
    func `An animation stays one in a format with animations`(
        suffix: String, frameCount: Int, height: Int
    ) async throws {
        let file = try Noise.animation(width: 32, height: 24, frameCount: 3)
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/a.gif", with: .bytes(file, type: "image/gif"))
        }) { server in
            let header = try await server.get(server.target("w:16", "/a.gif", extension: suffix)).image()
            #expect(header.frameCount == frameCount)
            #expect(header.size == PixelSize(16, height))
        }
    }

    @Test func `A file name is suggested`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("w:4/fn:cat/att:1"))
            #expect(response["content-disposition"] == "attachment; filename=\"cat.png\"")
        }
    }

    @Test func `A description is JSON`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get("/info/unsafe/plain/\(server.origin.url("/a.png"))")
            #expect(response.status == 200)
            #expect(response["content-type"] == "application/json")
            #expect(response.text.contains("\"width\":64"))
        }
    }

    @Test func `A raw source is sent as it is, with a policy that runs nothing`() async throws {
        let script = """
            <svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>alert(1)</script></svg>
            """
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/a.svg", with: .text(script, type: "image/svg+xml"))
        }) { server in
            let response = try await server.get(server.target("raw:1", "/a.svg"))
            #expect(response.status == 200)
            #expect(response["content-type"] == "image/svg+xml")
            #expect(response["content-security-policy"]?.contains("sandbox") == true)
            #expect(response["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(response["content-security-policy"]?.contains("img-src data:;") == true)
        }
    }

    @Test func `A browser of another site is answered`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("w:4"), method: "OPTIONS")
            #expect(response.status == 204)
            #expect(response["access-control-allow-methods"] == "GET, HEAD")
        }
    }
}
#endif
