#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

/// Old kernels lack some calls (ENOSYS), and the filters of containers forbid some (EPERM).
@Suite(
    "Refused system calls",
    .enabled(if: RunningCommand.isBuilt, "the command easel is not built"), .refusingCalls,
    // All at once, the processes would starve the origin servers of these tests.
    .serialized)
struct RefusedCallTests {
    /// The calls of Easel that are not in POSIX or not allowed everywhere, in groups that belong together.
    private static let groups: [[String]] = [
        ["openat2"], ["preadv2"], ["utimensat"], ["fstatfs"], RefusedCalls.attributes, ["inotify_init1"],
        ["inotify_add_watch"], ["stalls"], ["pipe2"], ["sched_getaffinity"], ["getpriority", "setpriority"],
        ["ioprio_get", "ioprio_set"], ["madvise"], ["prctl"], ["sysinfo"], ["netlink"],
    ]

    static let refused = ["ENOSYS", "EPERM"].flatMap { error in
        (groups + [groups.flatMap(\.self)]).map { RefusedCalls(calls: $0, error: error) }
    }

    private static let image = TestImage.gradient(400, 300)

    /// The output of the command if no call is refused.
    private static let small = Task {
        let folder = FileManager.default.temporaryDirectory.appending(path: "easel-test-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try await RunningCommand.run(
            ["get", "--no-cache", "-", "--name-template", "a.png", "-o", folder] + resizing,
            input: image.encoded(as: .png))
        return try #require(FileManager.default.contents(atPath: folder + "/a.png"))
    }
    private static let resizing = ["--width", "200", "--format", "png"]

    @Test("images load, are on disk for the next run, and their files are valid", arguments: refused)
    func load(refused: RefusedCalls) async throws {
        let origin = try await OriginServer.start { $0.respond("/a.png", with: .image(Self.image)) }
        try await CommandFolder.with { folder in
            let arguments = ["get", "--json", origin.url("/a.png").absoluteString, "-o", folder.output]
            // Libraries may print messages.
            let first = try await folder.run(arguments, through: refused.starter)
            #expect(first.status == 0 && !first.errors.contains("easel:"), "\(first.errors)")
            #expect(try folder.outputData("a.png") == Self.image.encoded(as: .png))
            let second = try await folder.run(arguments + Self.resizing, through: refused.starter)
            #expect(second.status == 0 && !second.errors.contains("easel:"), "\(second.errors)")
            #expect(try await folder.outputData("a.png") == Self.small.value)
            #expect([first, second].map { $0.objects.first?["source"] as? String } == ["network", "disk"])
            #expect(origin.requests.count == 1, "\(origin.requests.map(\.headers)), \(first.output)")
            let check = try await folder.run(["cache", "verify", "--json"], through: refused.starter)
            #expect(check.objects.first?["entries"] as? Int == 1 && check.objects.first?["torn"] as? Int == 0)
        }
        await origin.stop()
    }
}
#endif
