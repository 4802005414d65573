#if Server
import EaselCore
import EaselServerURLs
import EaselTesting
import Foundation
import Testing

@testable import EaselServer

@Suite(.serialized)
struct ErrorTests {
    @Test func `Errors are problems with a stable code`() async throws {
        try await RunningServer.with { server in
            let cases: [(String, Int, String)] = [
                (server.target("w:4", "/missing.png"), 404, "sourceNotFound"),
                (server.target("w:4", "/text.png"), 422, "undecodable"),
                (server.target("wrong:4"), 422, "unknownOption"),
                (server.target("w:many"), 422, "invalidOption"),
                ("/abc/w:4/plain/http://example.com/a.png", 403, "invalidSignature"),
                ("/", 404, "notAnImageURL"),
                ("/unsafe/w:4/plain/ftp://example.com/a.png", 422, "invalidSource"),
                ("/unsafe/" + String(repeating: "a", count: 9_000), 414, "pathTooLong"),
            ]
            for (target, status, code) in cases {
                let response = try await server.get(target)
                #expect(response.status == status, "\(target.prefix(100))")
                #expect(response.code == code, "\(target.prefix(100))")
                #expect(response["content-type"] == "application/problem+json")
                #expect(response["cache-control"] == "no-store")
                #expect(!response.text.contains("\"title\":\"Error\""))
            }
        }
    }

    @Test func `Another method is refused`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(server.target("w:4"), method: "POST")
            #expect(response.status == 405)
            #expect(response["allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func `A source over a limit is refused`() async throws {
        try await RunningServer.with({ $0.routes.sourceLimits.pixels = 1_000 }) { server in
            let response = try await server.get(server.target("w:4"))
            #expect(response.status == 413)
            #expect(response.code == "tooLarge")
        }
        try await RunningServer.with({ $0.routes.sourceLimits.bytes = 50 }) { (server) async throws in
            #expect(try await server.get(server.target("w:4")).status == 413)
        }
    }

    @Test func `A failing source is a bad gateway, and is not asked again at once`() async throws {
        try await RunningServer.with(routes: { configuration in
            configuration.respond("/broken.png", with: .status(500))
        }) { server in
            let first = try await server.get(server.target("w:4", "/broken.png"))
            #expect(first.status == 502)
            #expect(first.code == "sourceFailed")
            let count = server.origin.requests(for: "/broken.png").count
            #expect(try await server.get(server.target("w:5", "/broken.png")).status == 502)
            #expect(server.origin.requests(for: "/broken.png").count == count)
        }
    }

    @Test func `A request ends at its deadline`() async throws {
        try await RunningServer.with(
            { $0.routes.deadline = .milliseconds(200) },
            routes: { configuration in
                configuration.respond("/slow.png", with: .image(.gradient(8, 8)), faults: [.noResponse])
            }
        ) { server in
            let response = try await server.get(server.target("w:4", "/slow.png"))
            #expect(response.status == 504)
            #expect(response.code == "deadline")
            _ = await server.origin.waitForClose(of: "/slow.png")
        }
    }

    @Test func `An animation whose frames exceed the limit of its URL is refused`() async throws {
        let file = try Noise.animation(width: 32, height: 24, frameCount: 3)
        try await RunningServer.with(
            { $0.routes.urls.allowsLimitOptions = true },
            routes: { configuration in
                configuration.respond("/a.gif", with: .bytes(file, type: "image/gif"))
            }
        ) { (server) async throws in
            for options in ["w:16", "raw:1"] {
                let refused = try await server.get(server.target("\(options)/mafr:0.0005", "/a.gif"))
                #expect(refused.code == "tooLarge")
                #expect(try await server.get(server.target("\(options)/mafr:0.001", "/a.gif")).status == 200)
                #expect(try await server.get(server.target("\(options)/mafr:0", "/a.gif")).status == 200)
            }
            // An image without further frames has no such limit.
            #expect(try await server.get(server.target("w:16/mafr:0.0005")).status == 200)
        }
    }

    /// Returns the option with the fallback at a path of the origin.
    private func fallback(_ path: String, _ server: RunningServer) -> String {
        let encoded = Data(server.origin.url(path).absoluteString.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "+", with: "-")
        return "fiu:\(encoded)"
    }

    @Test func `A fallback replaces a source that fails`() async throws {
        try await RunningServer.with { server in
            let response = try await server.get(
                server.target("w:4/\(fallback("/a.png", server))", "/missing.png"))
            #expect(response.status == 200)
            #expect(["public, max-age=10", "public, max-age=9"].contains(response["cache-control"] ?? ""))
        }
    }

    @Test func `A fallback is no answer to a URL with another one, or without any`() async throws {
        try await RunningServer.with { server in
            let first = try await server.get(server.target("w:4/\(fallback("/a.png", server))", "/missing.png"))
            let second = try await server.get(server.target("w:4/\(fallback("/a.jpg", server))", "/missing.png"))
            #expect(first["content-type"] == "image/png")
            #expect(second["content-type"] == "image/jpeg")
            #expect(try await server.get(server.target("w:4", "/missing.png")).status == 404)
        }
    }

    @Test func `A fallback does not replace a stale result whose refresh fails`() async throws {
        try await RunningServer.with(
            { $0.routes.staleWhileRevalidate = .seconds(600) },
            routes: { configuration in
                var response = OriginResponse.image(.gradient(8, 8))
                response.headers["Cache-Control"] = "max-age=0"
                configuration.respond("/stale.png", with: [response, .status(404)])
            }
        ) { server in
            let target = server.target("w:4/\(fallback("/a.jpg", server))", "/stale.png")
            let first = try await server.get(target)
            _ = try await server.get(target)
            await server.origin.waitForRequests(2, for: "/stale.png")
            try await until { try await server.metric("easel_server_flights") == 0 }
            #expect(try await server.get(target)["etag"] == first["etag"])
        }
    }

    @Test func `An expired URL is refused, also if it was parsed before`() throws {
        var rules = URLRules()
        rules.allowsUnsigned = true
        let parser = URLParser(rules: rules, usesHints: false)
        let path = "/unsafe/exp:1000/plain/http://example.com/a.png"
        #expect(try parser.parse(path, now: Date(timeIntervalSince1970: 999)).url.source == "http://example.com/a.png")
        #expect(throws: ServerError.self) { _ = try parser.parse(path, now: Date(timeIntervalSince1970: 1001)) }
    }
}
#endif
