import EaselCodecs
import EaselCore
import EaselTesting
import Foundation
import Testing

@Suite(
    "Grid in a terminal", .enabled(if: RunningCommand.isBuilt, "the command easel is not built"),
    .timeLimit(.minutes(5)))
struct GridCommandTests {
    private static let options = ["show", "--grid", "--no-cache", "--graphics", "blocks"]

    /// Adds images with the names `01.png` and so on.
    private func images(_ count: Int, in folder: CommandFolder) throws -> [String] {
        try (1...count).map { try folder.add(String(format: "%02d.png", $0)) }
    }

    private func withGrid(
        _ count: Int, options: [String] = [], _ body: (TerminalCommand) async throws -> Void
    ) async throws {
        try await CommandFolder.with { folder in
            let command = try TerminalCommand(Self.options + options + images(count, in: folder))
            try await body(command)
        }
    }

    @Test("images are on the alternate screen, which q leaves without a trace")
    func leaving() async throws {
        try await withGrid(25) { command in
            try await command.waitForScreen(["01.png", "06.png", "1 to 6 of 25   q quits"])
            #expect(command.screen.isAlternateScreen && !command.screen.showsCursor)
            #expect(command.screen.lines[0].hasPrefix("▀▀▀▀▀▀"))
            #expect(!command.screen.text.contains("07.png"))
            #expect(!command.terminal.echoes && !command.terminal.waitsForLines)
            try command.type("q")
            #expect(await command.waitForEnd() == .init(status: 0, echoes: true, waitsForLines: true))
            #expect(
                !command.screen.isAlternateScreen && command.screen.showsCursor
                    && command.screen.text.allSatisfy(\.isNewline))
        }
    }

    @Test("keys and the wheel scroll")
    func scrolling() async throws {
        try await withGrid(25) { command in
            try await command.waitForScreen(["01.png", "06.png"])
            try command.type("j")
            try await command.waitForScreen { $0.text.contains("09.png") && !$0.text.contains("01.png") }
            try command.type("\u{1B}[6~")
            try await command.waitForScreen { $0.text.contains("15.png") && !$0.text.contains("09.png") }
            try command.type("\u{1B}[<64;1;1M")
            try await command.waitForScreen { $0.text.contains("07.png") && !$0.text.contains("15.png") }
            try command.type("G")
            try await command.waitForScreen(["22.png", "25.png", "22 to 25 of 25"])
            try command.type("\u{1B}")
            #expect(await command.waitForEnd().status == 0)
        }
    }

    @Test("only the visible page and the next one are loaded")
    func loading() async throws {
        try await withGrid(60, options: ["--stats"]) { command in
            try await command.waitForScreen(["06.png", "1 to 6 of 60   q"])
            try command.type("q")
            _ = await command.waitForEnd()
            let text = String(decoding: command.output, as: UTF8.self)
            let count = try #require(text.firstMatch(of: /(\d+) file,/)).1
            #expect(try #require(Int(count)) <= 12)
        }
    }

    @Test("the grid adapts to the window")
    func resizing() async throws {
        try await withGrid(25) { command in
            try await command.waitForScreen(["1 to 6 of 25   q"])
            command.resize(columns: 120, rows: 40)
            try await command.waitForScreen(["1 to 12 of 25   q", "12.png"])
            command.resize(columns: 30, rows: 12)
            try await command.waitForScreen { $0.text.contains("1 to 1 of 25   q") && $0.lines[0].contains("▀▀▀▀") }
            try command.type("q")
            #expect(await command.waitForEnd().status == 0)
        }
    }

    @Test("ctrl-C exits with 130 and restores the terminal")
    func interrupting() async throws {
        try await withGrid(3) { command in
            try await command.waitForScreen(["03.png", "1 to 3 of 3   q"])
            try command.type("\u{3}")
            #expect(await command.waitForEnd() == .init(status: 130, echoes: true, waitsForLines: true))
            #expect(!command.screen.isAlternateScreen && command.screen.showsCursor)
        }
    }

    @Test("ctrl-Z restores the terminal, and continuing draws the grid again")
    func suspending() async throws {
        try await withGrid(3) { command in
            try await command.waitForScreen(["1 to 3 of 3   q"])
            try command.type("\u{1A}")
            try await command.waitForScreen { !$0.isAlternateScreen && $0.showsCursor }
            await command.waitForStop()
            #expect(command.terminal.echoes && command.terminal.waitsForLines)
            command.send(SIGCONT)
            try await command.waitForScreen { $0.isAlternateScreen && $0.text.contains("1 to 3 of 3   q") }
            try command.type("q")
            #expect(await command.waitForEnd() == .init(status: 0, echoes: true, waitsForLines: true))
        }
    }

    @Test("a failure is shown in its cell and after the end")
    func failing() async throws {
        try await CommandFolder.with { folder in
            let inputs = [try folder.add("a.png"), folder.path + "/missing.png", "ftp://example.org/b.png"]
            let command = try TerminalCommand(Self.options + inputs)
            try await command.waitForScreen(["a.png", "cannot be read", "Unsupported scheme: ftp", "2 failed"])
            try command.type("q")
            #expect(await command.waitForEnd().status == 1)
            let text = String(decoding: command.output, as: UTF8.self)
            let end = try #require(text.range(of: "\u{1B}[?1049l"))
            #expect(text[end.upperBound...].contains("easel: \(folder.path)/missing.png: "))
            #expect(text[end.upperBound...].contains("easel: ftp://example.org/b.png: "))
        }
    }

    @Test("animations play")
    func playing() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.gif", try TestAnimation.gif(frames: 3, of: PixelSize(8, 6)))
            let command = try TerminalCommand(Self.options + [path, "--fps", "60"])
            try await command.waitForScreen { $0.updates > 20 }
            try command.type("q")
            #expect(await command.waitForEnd().status == 0)
            // And stop before the terminal is restored.
            #expect(String(decoding: command.output, as: UTF8.self).hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
        }
    }

    @Test("in a kitty terminal each image has a number, and all are deleted at the end")
    func kitty() async throws {
        try await CommandFolder.with { folder in
            let command = try TerminalCommand(
                ["show", "--grid", "--no-cache", "--graphics", "kitty"] + images(2, in: folder))
            try await command.waitForScreen { _ in
                let text = String(decoding: command.output, as: UTF8.self)
                return text.contains(",i=1,p=1,C=1") && text.contains(",i=2,p=1,C=1")
            }
            try command.type("q")
            #expect(await command.waitForEnd().status == 0)
            let ending = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\\u{1B}[0m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?25h\u{1B}[?1049l"
            #expect(String(decoding: command.output, as: UTF8.self).hasSuffix(ending))
        }
    }
}

@Suite(
    "Appended grid", .enabled(if: RunningCommand.isBuilt, "the command easel is not built"),
    .timeLimit(.minutes(5)))
struct GridRowsCommandTests {
    private func names(_ text: String) -> [String] { text.matches(of: /\d\d\.png/).map { String($0.0) } }

    @Test("without a terminal all rows are printed in order")
    func pipe() async throws {
        try await CommandFolder.with { folder in
            let inputs = try (1...8).map { try folder.add(String(format: "%02d.png", $0)) }
            let outcome = try await folder.run(["show", "--grid", "--graphics", "blocks"] + inputs)
            #expect(outcome.status == 0 && outcome.errors.isEmpty)
            #expect(names(outcome.output) == (1...8).map { String(format: "%02d.png", $0) })
            #expect(!outcome.output.contains("\u{1B}[?1049h"))
            // Three rows of equal height.
            let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let captions = lines.indices.filter { lines[$0].contains(".png") }
            #expect(captions.count == 3 && lines.count == 3 * (captions[0] + 1))
        }
    }

    @Test("a failure is shown in its cell, and the others are drawn")
    func failing() async throws {
        try await CommandFolder.with { folder in
            let inputs = [try folder.add("01.png"), folder.path + "/missing.png", "", try folder.add("04.png")]
            let outcome = try await folder.run(["show", "--grid", "--graphics", "blocks"] + inputs)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("The input is empty") && outcome.output.contains("cannot be read"))
            #expect(names(outcome.output) == ["01.png", "04.png"])
            #expect(outcome.errors.contains("missing.png") && outcome.errors.contains("(empty)"))
        }
    }

    @Test("an animation is shown as its first frame with a mark")
    func animation() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.gif", try TestAnimation.gif(frames: 3, of: PixelSize(8, 6)))
            let outcome = try await folder.run(["show", "--grid", "--graphics", "blocks", path])
            #expect(outcome.status == 0 && outcome.output.contains("▶ a.gif"))
        }
    }

    @Test("a terminal without a keyboard gets the rows at its cursor")
    func withoutKeyboard() async throws {
        try await CommandFolder.with { folder in
            let command = try TerminalCommand(
                ["show", "--grid", "--no-cache", "--graphics", "blocks", try folder.add("01.png")], readsKeys: false)
            #expect(await command.waitForEnd().status == 0)
            #expect(names(command.screen.text) == ["01.png"])
        }
    }

    @Test("without graphics each image is a line of text, or JSON if requested")
    func text() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("01.png")
            #expect(try await folder.run(["show", "--grid", path]).output.hasPrefix("\(path): png, 40 x 30, "))
            #expect(try await folder.run(["show", "--grid", "--json", path]).objects.first?["width"] as? Int == 40)
        }
    }

    @Test(
        "invalid options are a usage error",
        arguments: [["--columns", "3"], ["--grid", "--columns", "0"], ["--grid", "--trace"]])
    func usage(arguments: [String]) async throws {
        #expect(try await RunningCommand.run(["show", "a.png"] + arguments).status == 2)
    }
}
