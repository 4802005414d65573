import EaselCore
import EaselTesting
import Foundation
import Testing

@testable import easel

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct InfoCommandTests {
    @Test("a JSON line has every documented field")
    func fields() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["info", "--json", path])
            let object = try #require(outcome.objects.first)
            #expect(outcome.status == 0)
            #expect(
                Set(object.keys) == [
                    "input", "ok", "format", "width", "height", "frames", "loops", "durationsMS", "orientation",
                    "hasAlpha",
                    "bitDepth", "profile", "gainMap", "bytes", "source",
                ])
            #expect(object["format"] as? String == "png")
            #expect(object["width"] as? Int == 40)
            #expect(object["height"] as? Int == 30)
            #expect(object["source"] as? String == "file")
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test("lines are in the order of the inputs")
    func inputOrder() async throws {
        try await CommandFolder.with { folder in
            let paths = try (1...40).map { try folder.add("\($0).png", .gradient($0, 2)) }
            let outcome = try await folder.run(["info", "--json"] + paths)
            #expect(outcome.objects.compactMap { $0["width"] as? Int } == Array(1...40))
        }
    }

    @Test("inputs come from standard input and from a list")
    func inputSources() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png", .gradient(5, 6))
            let list = try folder.add("list", Data("\(path)\n\ndata:image/png;base64,AAAA\n".utf8))
            let outcome = try await folder.run(
                ["info", "--json", "-", "--from", list], input: try TestImage.gradient(7, 8).encoded())
            #expect(outcome.status == 1)
            #expect(outcome.objects.map { $0["input"] as? String } == ["-", path, "data:image/png;base64,AAAA"])
            #expect(outcome.objects.map { $0["width"] as? Int } == [7, 5, nil])
        }
    }

    @Test("--decode detects damage")
    func damage() async throws {
        try await CommandFolder.with { folder in
            let complete = try TestImage.gradient(100, 100).encoded()
            let path = try folder.add("cut.png", complete.prefix(complete.count / 2))
            let outcome = try await folder.run(["info", "--json", "--decode", path])
            #expect(outcome.status == 1)
            let error = outcome.objects.first?["error"] as? [String: any Sendable]
            #expect(error?["code"] as? String == "badData")
        }
    }

    /// Each rectangle takes a noticeable part of a second, and librsvg draws all of them in one call.
    @Test("an image that takes too long to decode is an error", .timeLimit(.minutes(1)))
    func timeLimit() async throws {
        try await CommandFolder.with { folder in
            let filter = "<filter id='f'><feTurbulence numOctaves='8' baseFrequency='0.1'/></filter>"
            let rectangle = "<rect width='512' height='512' filter='url(#f)'/>"
            let sizes = ["", "width='512' height='512'"]
            let paths = try sizes.enumerated().map { index, size in
                let text =
                    "<svg xmlns='http://www.w3.org/2000/svg' \(size)>\(filter)"
                    + String(repeating: rectangle, count: 10_000) + "</svg>"
                return try folder.add("\(index).svg", Data(text.utf8))
            }
            let outcome = try await folder.run(["info", "--json", "--decode"] + paths)
            #expect(outcome.status == 1)
            let errors = outcome.objects.map { $0["error"] as? [String: any Sendable] }
            #expect(errors.map { $0?["code"] as? String } == ["tooLarge", "tooLarge"])
        }
    }

    @Test("an image over the pixel limit is rejected")
    func pixelLimit() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png", .gradient(20, 20))
            for option in [["--max-pixels", "399"], ["--max-bytes", "20"]] {
                let outcome = try await folder.run(["info", "--json", path] + option)
                #expect(outcome.status == 1)
                let error = outcome.objects.first?["error"] as? [String: any Sendable]
                #expect(error?["code"] as? String == "tooLarge")
            }
        }
    }

    @Test("statistics are the last line on standard error")
    func statistics() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["info", path, path, "--stats"])
            #expect(outcome.output.split(separator: "\n").count == 2)
            #expect(outcome.errors.hasPrefix("stats: 0 memory, 0 disk, 0 network, 2 file, 0 data; 0 requests"))
        }
    }
}

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct ShowCommandTests {
    @Test("a pipe gets a line per image")
    func pipeOutput() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let outcome = try await folder.run(["show", path, path])
            #expect(outcome.status == 0)
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.hasPrefix("\(path): png, 40 x 30, ") })
            #expect(!outcome.output.contains("\u{1B}"))
        }
    }

    @Test("a requested graphics mode is used")
    func graphicsMode() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.png")
            let starts = ["kitty": "\u{1B}_Ga=T", "sixel": "\u{1B}P", "blocks": "\u{1B}[38;2;"]
            for (mode, start) in starts {
                let outcome = try await folder.run(["show", path, "--graphics", mode])
                #expect(outcome.output.hasPrefix(start))
            }
        }
    }
}
