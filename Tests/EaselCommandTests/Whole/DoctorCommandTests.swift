#if Sandbox
import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(
    "easel doctor, and --sandbox", .timeLimit(.minutes(4)), .serialized,
    .enabled(if: RunningCommand.isBuilt, "the command has to be built beside the tests"))
struct DoctorCommandTests {
    private func doctor(through starter: [String] = []) async throws -> [String: any Sendable] {
        let outcome = try await RunningCommand.run(["doctor", "--json"], through: starter)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try #require(outcome.objects.first)
    }

    @Test("the report as JSON has the sandbox, the libraries, the formats, the terminal and the cache")
    func json() async throws {
        let report = try await doctor()
        #expect(Set(report.keys) == ["version", "sandbox", "libraries", "formats", "terminal", "cache"])
        let sandbox = try #require(report["sandbox"] as? [String: Any])
        #expect(Set(sandbox.keys) == ["available", "seccomp", "landlock", "reason"])
        let formats = try #require(report["formats"] as? [String: [String]])
        #expect(formats["read"]?.contains("webp") == true && formats["write"]?.contains("apng") == true)
        let libraries = try #require(report["libraries"] as? [String: String])
        #expect(libraries.values.allSatisfy { $0.first?.isNumber == true })
        #expect((report["cache"] as? [String: Any])?["attributes"] is Bool)
    }

    @Test("the report as text names the same")
    func text() async throws {
        let outcome = try await RunningCommand.run(["doctor"])
        #expect(outcome.status == 0)
        for line in ["sandbox: ", "reads: ", "writes: ", "libraries: ", "terminal: ", "cache: "] {
            #expect(outcome.output.contains("\n\(line)"), "\(line)")
        }
    }

    @Test("an image decodes, whether in a sandbox or not", arguments: ["require", "off"])
    func options(option: String) async throws {
        try await CommandFolder.with { folder in
            let image = try folder.add("a.webp", as: .webp)
            let outcome = try await folder.run(["info", "--decode", "--sandbox", option, "--json", image])
            #expect(outcome.status == 0 && outcome.objects.first?["format"] as? String == "webp", "\(outcome)")
        }
    }

    /// Calls that are refused, and what is left of a sandbox without them.
    struct Refusal: Sendable, CustomTestStringConvertible {
        enum Rest: Sendable { case all, some, none }

        var calls: RefusedCalls
        var rest: Rest
        var testDescription: String { calls.testDescription }

        static let all: [Refusal] =
            ["ENOSYS", "EPERM"].flatMap { error in
                [
                    (["landlock_create_ruleset"], Rest.some), (["landlock_restrict_self"], .some), (["seccomp"], .all),
                    (["seccomp", "filters"], .some), (["memfd_create"], .none), (["close_range"], .all),
                    (["socketpair"], .none), (["signalfd4"], .all),
                ]
                .map { Refusal(calls: RefusedCalls(calls: $0.0, error: error), rest: $0.1) }
            } + [Refusal(calls: RefusedCalls(calls: ["clone3"], error: "ENOSYS"), rest: .all)]
    }

    @Test(
        "without a system call, `require` fails unless all restrictions are in force, and `prefer` decodes",
        .refusingCalls, arguments: Refusal.all)
    func refusals(refusal: Refusal) async throws {
        let starter = refusal.calls.starter
        let sandbox = try #require(try await doctor(through: starter)["sandbox"] as? [String: Any])
        #expect(sandbox["available"] as? Bool == (refusal.rest == .all), "\(sandbox)")
        #expect((sandbox["reason"] as? String)?.isEmpty == (refusal.rest == .all ? nil : false))
        try await CommandFolder.with { folder in
            let image = try folder.add("a.webp", as: .webp)
            let arguments = ["info", "--decode", "--no-cache", image, "--sandbox"]
            let preferred = try await folder.run(arguments + ["prefer"], through: starter)
            #expect(preferred.status == 0 && preferred.errors.isEmpty, "\(preferred)")
            let required = try await folder.run(arguments + ["require"], through: starter)
            #expect(required.status == (refusal.rest == .all ? 0 : 1), "\(required)")
            #expect(required.errors.contains("sandbox") == (refusal.rest != .all), "\(required.errors)")
        }
    }
}
#endif
