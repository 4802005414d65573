#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(
    "Without a home folder, a terminal or disk space", .timeLimit(.minutes(1)),
    .enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct BareSystemTests {
    private static let image = TestImage.gradient(40, 30)
    /// Without a variable that names a cache folder.
    private static let bare: [String: String?] = ["EASEL_CACHE_DIR": nil, "XDG_CACHE_HOME": nil]

    /// Calls `body` with an origin that has an image, and a folder outside `/tmp`.
    private func withFixture(_ body: (_ url: String, CommandFolder) async throws -> Void) async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(Self.image)) }
        try await CommandFolder.with(in: URL(filePath: "/var/tmp")) {
            try await body(origin.url("/a.png").absoluteString, $0)
        }
        await origin.stop()
    }

    /// Gets, shows and describes the image, and expects that each succeeds with one warning at most.
    ///
    /// - Returns: The warnings.
    private func loads(
        _ url: String, _ folder: CommandFolder, _ environment: [String: String?], through starter: [String] = []
    ) async throws -> Set<String> {
        var warnings: Set<String> = []
        for arguments in [["get", url, "-o", folder.output], ["show", url], ["info", url, "--decode"]] {
            let outcome = try await RunningCommand.run(arguments, environment: environment, through: starter)
            #expect(outcome.status == 0 && outcome.output.contains("40"), "\(arguments): \(outcome)")
            let lines = outcome.errors.split(separator: "\n").filter { $0.contains("warning") }
            #expect(lines.count <= 1)
            warnings.formUnion(lines.map(String.init))
        }
        #expect(try folder.outputData("a.png") == Self.image.encoded(as: .png))
        return warnings
    }

    @Test("the cache is below HOME if no other folder is named", arguments: [nil, "", "relative"] as [String?])
    func home(caches: String?) async throws {
        try await CommandFolder.with { folder in
            let environment = ["EASEL_CACHE_DIR": "", "XDG_CACHE_HOME": caches, "HOME": folder.path]
            let outcome = try await RunningCommand.run(["cache", "path"], environment: environment)
            #expect(outcome.output == folder.path + "/.cache/easel\n")
        }
    }

    @Test("without HOME, the cache is below the home folder of the user database", arguments: [nil, ""] as [String?])
    func noHome(home: String?) async throws {
        let entry = try #require(getpwuid(getuid()))
        let path = String(cString: entry.pointee.pw_dir)
        let outcome = try await RunningCommand.run(
            ["cache", "path"], environment: Self.bare.merging(["HOME": home]) { $1 })
        #expect(outcome.status == 0)
        #expect(outcome.output == path + "/.cache/easel\n")
    }

    @Test("images load if HOME is not a directory, with a warning that they are not stored")
    func homeIsNotADirectory() async throws {
        try await withFixture { url, folder in
            let warnings = try await loads(url, folder, Self.bare.merging(["HOME": "/dev/null"]) { $1 })
            #expect(warnings.count == 1 && warnings.first?.contains("/dev/null/.cache/easel") == true, "\(warnings)")
            #expect(warnings.first?.contains("not a directory") == true)
        }
    }

    @Test(
        "images load if HOME is read-only, with a warning that they are not stored",
        .enabled(if: canMount, "this user cannot mount file systems"))
    func readOnlyHome() async throws {
        try await withFixture { url, folder in
            let home = folder.path + "/home"
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            let warnings = try await loads(
                url, folder, Self.bare.merging(["HOME": home]) { $1 },
                through: Self.mounting("-o ro -t tmpfs none '\(home)'"))
            #expect(warnings.count == 1 && warnings.first?.contains("read-only file system") == true, "\(warnings)")
        }
    }

    @Test("images load if /tmp is full", .enabled(if: canMount, "this user cannot mount file systems"))
    func fullTemporaryFolder() async throws {
        try await withFixture { url, folder in
            let starter = Self.mounting("-o size=4k -t tmpfs none /tmp", then: Self.filling)
            let outcome = try await RunningCommand.run(
                ["get", url, "-o", folder.output, "--cache", folder.cache, "--width", "20"],
                environment: ["TMPDIR": "/tmp"],
                through: starter)
            #expect(outcome.status == 0 && !outcome.errors.contains("easel:"), "\(outcome)")
            #expect(folder.outputs == ["a.jpg"])
        }
    }

    @Test(
        "a full disk fails the output with one message and leaves no file",
        .enabled(if: canMount, "this user cannot mount file systems"))
    func fullOutput() async throws {
        try await withFixture { url, folder in
            let starter = Self.mounting(
                "-o size=4k -t tmpfs none /tmp", then: Self.filling, finally: "ls /tmp | grep -v '^full$'")
            let outcome = try await RunningCommand.run(
                ["get", url, "-o", "/tmp", "--cache", folder.cache], through: starter)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("no space left on device"), "\(outcome.errors)")
            #expect(outcome.output.isEmpty, "\(outcome.output)")
        }
    }

    @Test("a dumb terminal is sent only text in the C locale", arguments: ["show", "get", "info"])
    func dumbTerminal(command: String) async throws {
        try await withFixture { url, folder in
            let terminal = try TerminalCommand(
                [command, url] + (command == "get" ? ["-o", folder.output] : []),
                environment: ["TERM": "dumb", "LANG": "C", "LC_ALL": "C", "EASEL_CACHE_DIR": folder.cache])
            #expect(await terminal.waitForEnd().status == 0)
            #expect(!terminal.output.contains(0x1B))
            #expect(String(decoding: terminal.output, as: UTF8.self).contains("40"))
        }
    }

    @Test("a system that starts no thread causes one message and no hang", .refusingCalls)
    func noThreads() async throws {
        let outcome = try await RunningCommand.run(
            ["get", "a.png"], through: RefusedCalls(calls: ["clone", "clone3"], error: "EAGAIN").starter)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "easel: Cannot create a thread. Raise the limit of processes (ulimit -u).\n")
    }

    // MARK: - Mounting

    private static let filling = "cat /dev/zero > /tmp/full 2>/dev/null || true"

    /// Returns a starter of a command with a private mount, between two other commands.
    private static func mounting(_ arguments: String, then: String = "true", finally: String = "true") -> [String] {
        let script = "mount \(arguments) && { \(then); } && { \"$0\" \"$@\"; status=$?; \(finally); exit $status; }"
        return ["/usr/bin/env", "unshare", "--mount"] + (getuid() == 0 ? [] : ["--map-root-user"]) + [
            "sh", "-c", script,
        ]
    }

    private static let canMount: Bool = {
        let process = Process()
        let words = mounting("-t tmpfs none /tmp") + ["/bin/true"]
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
#endif
