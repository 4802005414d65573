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

    @Test func `A fallback replaces a source that fails`() async throws {
        try await RunningServer.with { server in
            let encoded = Data(server.origin.url("/a.png").absoluteString.utf8).base64EncodedString()
                .replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "/", with: "_")
                .replacingOccurrences(of: "+", with: "-")
            let response = try await server.get(server.target("w:4/fiu:\(encoded)", "/missing.png"))
            #expect(response.status == 200)
            #expect(["public, max-age=10", "public, max-age=9"].contains(response["cache-control"] ?? ""))
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
