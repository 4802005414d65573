#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(.timeLimit(.minutes(1)), .enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct OriginCommandTests {
    private func errorCode(_ outcome: RunningCommand.Outcome) -> String? {
        (outcome.objects.first?["error"] as? [String: any Sendable])?["code"] as? String
    }

    @Test("equal URLs send one request")
    func equalURLs() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(40, 30))) }
        try await CommandFolder.with { folder in
            let url = origin.url("/a.png").absoluteString
            let outcome = try await folder.run(["get", "--json", url, url, url, "-o", folder.output])
            #expect(outcome.objects.compactMap { $0["requests"] as? Int } == [1, 0, 0])
            #expect(origin.requests.count == 1)
            #expect(folder.outputs == ["a-2.png", "a-3.png", "a.png"])
        }
        await origin.stop()
    }

    @Test("the second run loads from disk")
    func secondRun() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(40, 30))) }
        try await CommandFolder.with { folder in
            let arguments = ["get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output]
            let first = try await folder.run(arguments)
            let second = try await folder.run(arguments + ["--width", "10"])
            #expect(first.objects.first?["source"] as? String == "network")
            #expect(second.objects.first?["source"] as? String == "disk")
            #expect(origin.requests.count == 1)
        }
        await origin.stop()
    }

    @Test("with --no-cache or --refresh, the server is requested again", arguments: ["--no-cache", "--refresh"])
    func requestedAgain(option: String) async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(40, 30))) }
        try await CommandFolder.with { folder in
            let arguments = ["info", "--json", origin.url("/a.png").absoluteString]
            _ = try await folder.run(arguments)
            let again = try await folder.run(arguments + [option])
            #expect(again.objects.first?["source"] as? String == "network")
            #expect(origin.requests.count == 2)
        }
        await origin.stop()
    }

    @Test("with --no-cache, no cache is written")
    func noCache() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(40, 30))) }
        try await CommandFolder.with { folder in
            let outcome = try await folder.run(["show", "--no-cache", origin.url("/a.png").absoluteString])
            #expect(outcome.status == 0)
            #expect(!FileManager.default.fileExists(atPath: folder.cache))
        }
        await origin.stop()
    }

    @Test("--header sends header fields")
    func sentHeaders() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(4, 3))) }
        try await CommandFolder.with { folder in
            let url = origin.url("/a.png").absoluteString
            _ = try await folder.run(["info", url, "--header", "X-One: 1", "--header", "X-Two: 2"])
            let request = try #require(origin.requests.first)
            #expect(request.headers["X-One"] == "1")
            #expect(request.headers["X-Two"] == "2")
        }
        await origin.stop()
    }

    @Test("a missing image fails with the server's status")
    func missingImage() async throws {
        let origin = try await OriginServer.start()
        try await CommandFolder.with { folder in
            let outcome = try await folder.run([
                "get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output,
            ])
            #expect(outcome.status == 1)
            #expect(errorCode(outcome) == "status")
            #expect(folder.outputs.isEmpty)
        }
        await origin.stop()
    }

    @Test(
        "a server that does not respond times out",
        arguments: [["--deadline", "0.2"], ["--timeout", "0.2", "--retries", "0"]])
    func silentServer(options: [String]) async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: .image(.gradient(4, 3)), faults: [.noResponse])
        }
        try await CommandFolder.with { folder in
            let outcome = try await folder.run(["info", "--json", origin.url("/a.png").absoluteString] + options)
            #expect(outcome.status == 1)
            #expect(errorCode(outcome) == "timedOut")
        }
        await origin.stop()
    }

    @Test("--guard refuses private addresses", arguments: ["127.0.0.1", "localhost", "2130706433"])
    func privateAddresses(host: String) async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(4, 3))) }
        try await CommandFolder.with { folder in
            let arguments = ["info", "--json", "--no-cache", "http://\(host):\(origin.port)/a.png", "--guard"]
            let refused = try await folder.run(arguments)
            #expect(refused.status == 1)
            #expect(errorCode(refused) == "forbiddenAddress")
            #expect(origin.requests.isEmpty)
            let allowed = try await folder.run(arguments + ["--guard-allow", host])
            #expect(allowed.status == 0)
            let other = try await folder.run(arguments + ["--guard-allow", "images.test"])
            #expect(errorCode(other) == "forbiddenAddress")
        }
        await origin.stop()
    }

    @Test("--guard checks redirects")
    func guardedRedirects() async throws {
        let origin = try await OriginServer.start()
        origin.respond("/a.png", with: .redirect(to: "http://127.0.0.2:\(origin.port)/b.png"))
        try await CommandFolder.with { folder in
            let outcome = try await folder.run([
                "info", "--json", "--guard", "--guard-allow", "127.0.0.1", origin.url("/a.png").absoluteString,
            ])
            #expect(errorCode(outcome) == "forbiddenAddress")
            #expect(origin.requests.count == 1)
        }
        await origin.stop()
    }

    /// In a separate process, because all tests of this one share its variables.
    @Test(
        "proxies are configured by the environment",
        arguments: [["http_proxy"], ["ALL_PROXY"], ["http_proxy", "no_proxy"]])
    func proxies(names: [String]) async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(4, 3))) }
        let proxy = try await ProxyServer.start(to: origin.port)
        let bypasses = names.contains("no_proxy")
        var environment = Dictionary(uniqueKeysWithValues: names.map { ($0, proxy.url) })
        if bypasses { environment["no_proxy"] = "localhost,127.0.0.1" }
        let url = bypasses ? origin.url("/a.png").absoluteString : "http://images.test/a.png"
        let outcome = try await RunningCommand.run(
            ["info", "--json", "--no-cache", url], environment: environment)
        #expect(outcome.status == 0)
        #expect(proxy.requests == (bypasses ? [] : ["GET http://images.test/a.png"]))
        #expect(origin.requests.count == 1)
        await proxy.stop()
        await origin.stop()
    }

    @Test("the time to connect is reported")
    func connectionTime() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(4, 3))) }
        try await CommandFolder.with { folder in
            let outcome = try await folder.run([
                "get", "--json", "--no-cache", origin.url("/a.png").absoluteString, "-o", folder.output,
            ])
            let timings = try #require(outcome.objects.first?["timings"] as? [String: any Sendable])
            let connect = try #require(timings["connect"] as? Double)
            let firstByte = try #require(timings["firstByte"] as? Double)
            #expect(connect > 0 && connect <= firstByte)
        }
        await origin.stop()
    }

    @Test("a failure is retried as often as requested")
    func retries() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .status(503)) }
        try await CommandFolder.with { folder in
            let outcome = try await folder.run([
                "info", "--json", "--retries", "1", origin.url("/a.png").absoluteString,
            ])
            #expect(outcome.status == 1)
            #expect(origin.requests.count == 2)
        }
        await origin.stop()
    }

    @Test("a cache that cannot be written is a warning")
    func unwritableCache() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(4, 3))) }
        try await CommandFolder.with { folder in
            let file = try folder.add("file", Data())
            let outcome = try await folder.run([
                "get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output, "--cache", file + "/cache",
            ])
            #expect(outcome.status == 0)
            #expect(folder.outputs == ["a.png"])
            #expect(outcome.errors.contains("warning:"))
        }
        await origin.stop()
    }

    @Test("ctrl-C exits with 130 and leaves no files")
    func interruption() async throws {
        let origin = try await OriginServer.start {
            $0.respond("/a.png", with: .image(.gradient(400, 300)), faults: [.holdBody(Gate(), at: 100)])
        }
        try await CommandFolder.with { folder in
            let command = try RunningCommand(
                ["get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output],
                environment: ["EASEL_CACHE_DIR": folder.cache])
            await origin.waitForRequests()
            command.interrupt()
            let outcome = await command.outcome()
            #expect(outcome.status == 130)
            #expect(outcome.output.isEmpty)
            #expect(folder.outputs.isEmpty)
        }
        await origin.stop()
    }

    @Test("demo requests each image once")
    func demo() async throws {
        let outcome = try await RunningCommand.run(["demo"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("exactly one per image."))
        #expect(!outcome.output.contains("failed"))
    }

    @Test("demo accepts URLs")
    func demoURLs() async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(.gradient(40, 30))) }
        let outcome = try await RunningCommand.run(
            ["demo", origin.url("/a.png").absoluteString, origin.url("/b.png").absoluteString])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("a.png"))
        #expect(outcome.errors.contains("b.png"))
        #expect(origin.requests(for: "/a.png").count == 1)
        await origin.stop()
    }
}
#endif
