import Testing

@testable import easel

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct ExitStatusOfTheCommandTests {
    @Test(
        "help and version are printed to standard output",
        arguments: [["--version"], ["--help"], ["help", "get"], ["get", "--help"]])
    func helpOutput(arguments: [String]) async throws {
        let outcome = try await RunningCommand.run(arguments)
        #expect(outcome.status == 0)
        #expect(!outcome.output.isEmpty)
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "usage errors exit with 2 and a message",
        arguments: [
            ["nonsense"], ["info"], ["info", "--nonsense", "a.png"], ["get", "a.png", "--width", "0"],
            ["get", "a.png", "--fit", "cover"], ["get", "a.png", "--format", "original", "--width", "9"],
            ["get", "a.png", "--name-template", "{nonsense}"], ["show", "a.png", "--frame=-1"], ["cache", "nonsense"],
            ["info", "a.png", "--concurrency", "0"], ["info", "a.png", "--header", "nonsense"],
            ["info", "a.png", "--cache", ""],
        ])
    func usageErrors(arguments: [String]) async throws {
        let outcome = try await RunningCommand.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains("Usage:"))
    }

    @Test("a failed input exits with 1 and is reported")
    func failedInput() async throws {
        try await CommandFolder.with { folder in
            let good = try folder.add("good.png")
            let outcome = try await folder.run(["info", "--json", folder.path + "/missing.png", good])
            #expect(outcome.status == 1)
            #expect(outcome.objects.count == 2)
            #expect(outcome.objects.first?["ok"] as? Bool == false)
            #expect(outcome.objects.last?["ok"] as? Bool == true)
            #expect(outcome.errors.contains("missing.png"))
            #expect(!outcome.errors.contains("good.png"))
        }
    }

    @Test("an invalid input is a failure and not a usage error", arguments: ["", "http://", "ftp://example.org/a.png"])
    func invalidInput(input: String) async throws {
        let outcome = try await RunningCommand.run(["info", "--json", input])
        #expect(outcome.status == 1)
        let error = outcome.objects.first?["error"] as? [String: any Sendable]
        #expect(outcome.objects.first?["input"] as? String == input)
        #expect(error?["code"] as? String == "invalidURL")
        #expect(error?["number"] as? Int == 1000)
    }

    @Test("a missing list exits with 1")
    func missingList() async throws {
        let outcome = try await RunningCommand.run(["info", "--from", "/no/such/list"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("/no/such/list"))
    }
}
