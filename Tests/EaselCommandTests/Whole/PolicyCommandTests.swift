#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(
    "Cache policies of the command",
    .enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct PolicyCommandTests {
    private static let image = OriginResponse.image(.gradient(40, 30))

    private func source(_ outcome: RunningCommand.Outcome) -> String? {
        outcome.objects.first?["source"] as? String
    }

    @Test("--policy http revalidates a stale image with one request and no body")
    func http() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: Self.image.with(headers: ["ETag": "\"1\"", "Cache-Control": "no-cache"]))
        }
        try await CommandFolder.with { folder in
            let arguments = [
                "get", "--json", "--policy", "http", origin.url("/a.png").absoluteString, "-o", folder.output,
            ]
            _ = try await folder.run(arguments)
            let again = try await folder.run(arguments)
            #expect(source(again) == "disk")
            #expect(again.objects.first?["requests"] as? Int == 1)
            #expect(origin.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\""])
        }
        await origin.stop()
    }

    @Test("--policy http sends no request for a fresh image, and stores no no-store response")
    func freshAndNoStore() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/fresh.png", with: Self.image.with(headers: ["Cache-Control": "max-age=600"]))
            $0.respond("/secret.png", with: Self.image.with(headers: ["Cache-Control": "no-store"]))
        }
        try await CommandFolder.with { folder in
            for path in ["/fresh.png", "/fresh.png", "/secret.png", "/secret.png"] {
                _ = try await folder.run(["info", "--json", "--policy", "http", origin.url(path).absoluteString])
            }
            #expect(origin.requests(for: "/fresh.png").count == 1)
            #expect(origin.requests(for: "/secret.png").count == 2)
            let statistics = try await folder.run(["cache", "stats", "--json"])
            #expect(statistics.objects.first?["entries"] as? Int == 1)
        }
        await origin.stop()
    }

    @Test("--policy offline sends nothing, and fails for images that are not cached")
    func offline() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: Self.image) }
        try await CommandFolder.with { folder in
            let arguments = ["info", "--json", origin.url("/a.png").absoluteString, "--policy"]
            let missing = try await folder.run(arguments + ["offline"])
            #expect(missing.status == 1 && missing.output.contains("notCached"))
            #expect(origin.requests.isEmpty)
            _ = try await folder.run(arguments + ["forever"])
            #expect(try await source(folder.run(arguments + ["offline"])) == "disk")
            #expect(origin.requests.count == 1)
        }
        await origin.stop()
    }

    @Test("--refresh revalidates a cached image, and loads a changed one again")
    func refresh() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: Self.image.with(headers: ["ETag": "\"1\""]))
        }
        try await CommandFolder.with { folder in
            let arguments = ["info", "--json", origin.url("/a.png").absoluteString]
            _ = try await folder.run(arguments)
            #expect(try await source(folder.run(arguments + ["--refresh"])) == "disk")
            origin.respond("/a.png", with: .image(.gradient(20, 10)).with(headers: ["ETag": "\"2\""]))
            let changed = try await folder.run(arguments + ["--refresh"])
            #expect(source(changed) == "network" && changed.objects.first?["width"] as? Int == 20)
            #expect(try await folder.run(arguments).objects.first?["width"] as? Int == 20)
            #expect(origin.requests.map { $0.headers["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
        }
        await origin.stop()
    }

    @Test("a background refresh is finished before the command ends (RFC 5861 3)")
    func background() async throws {
        let control = "max-age=0, stale-while-revalidate=600"
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: Self.image.with(headers: ["ETag": "\"1\"", "Cache-Control": control]))
        }
        try await CommandFolder.with { folder in
            let arguments = ["info", "--json", "--policy", "http", origin.url("/a.png").absoluteString]
            _ = try await folder.run(arguments)
            origin.respond(
                "/a.png", with: .image(.gradient(20, 10)).with(headers: ["ETag": "\"2\"", "Cache-Control": control]),
                faults: [.delayBody(.milliseconds(100))])
            let stale = try await folder.run(arguments)
            #expect(stale.objects.first?["width"] as? Int == 40 && source(stale) == "disk")
            let fresh = try await folder.run(arguments)
            #expect(fresh.objects.first?["width"] as? Int == 20)
        }
        await origin.stop()
    }
}
#endif
