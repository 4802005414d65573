import EaselCore
import Foundation
import Testing

@Suite(
    "Terminal restoration",
    .enabled(if: RunningCommand.isBuilt, "the command easel is not built"), .timeLimit(.minutes(5)))
struct TerminalRestorationTests {
    /// The last output of a stage and of a screen.
    private static let endings = (stage: "\u{1B}[0m\u{1B}[?25h", screen: "\u{1B}[?25h\u{1B}[?1049l")

    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT]

    @Test(
        "any crash restores the screen, the cursor and the keyboard",
        arguments: crashes)
    func crashOfAGrid(signal: Int32) async throws {
        try await CommandFolder.with { folder in
            let command = try TerminalCommand(
                ["show", "--grid", "--no-cache", "--graphics", "blocks", try folder.add("a.png")])
            try await command.waitForScreen(["1 to 1 of 1   q"])
            #expect(!command.terminal.echoes)
            command.send(signal)
            #expect(await command.waitForEnd() == .init(signal: signal, echoes: true, waitsForLines: true))
            #expect(String(decoding: command.output, as: UTF8.self).hasSuffix(Self.endings.screen))
            #expect(!command.screen.isAlternateScreen && command.screen.showsCursor)
        }
    }

    @Test("a termination signal restores the screen, the cursor and the keyboard", arguments: [SIGTERM, SIGHUP])
    func endOfAGrid(signal: Int32) async throws {
        try await CommandFolder.with { folder in
            let command = try TerminalCommand(
                ["show", "--grid", "--no-cache", "--graphics", "blocks", try folder.add("a.png")])
            try await command.waitForScreen(["1 to 1 of 1   q"])
            command.send(signal)
            #expect(await command.waitForEnd() == .init(status: 128 + signal, echoes: true, waitsForLines: true))
            #expect(String(decoding: command.output, as: UTF8.self).hasSuffix(Self.endings.screen))
        }
    }

    private func withAnimation(_ body: (TerminalCommand) async throws -> Void) async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.gif", try TestAnimation.gif(frames: 3, of: PixelSize(160, 120)))
            let command = try TerminalCommand(["show", "--no-cache", "--graphics", "blocks", path])
            try await command.waitForScreen { $0.updates > 2 }
            try await body(command)
        }
    }

    @Test("a crash during an animation shows the cursor again", arguments: [SIGSEGV, SIGABRT])
    func crashOfAnAnimation(signal: Int32) async throws {
        try await withAnimation { command in
            #expect(!command.screen.showsCursor)
            command.send(signal)
            #expect(await command.waitForEnd().signal == signal)
            #expect(String(decoding: command.output, as: UTF8.self).hasSuffix(Self.endings.stage))
        }
    }

    @Test("an animation adapts to a smaller and a larger window")
    func resizing() async throws {
        try await withAnimation { command in
            // 160 x 120 in 22 lines of two pixels each, then in 10, then in 38.
            #expect(command.screen.lines[21].count == 59)
            command.resize(columns: 40, rows: 12)
            try await command.waitForScreen { $0.lines[9].count == 27 && $0.lines[10].isEmpty }
            command.resize(columns: 120, rows: 40)
            try await command.waitForScreen { $0.lines[37].count == 102 }
            try command.type("\u{3}")
            #expect(await command.waitForEnd().status == 130)
            #expect(command.screen.showsCursor)
        }
    }

    @Test("ctrl-Z shows the cursor, and the animation continues afterwards")
    func suspending() async throws {
        try await withAnimation { command in
            try command.type("\u{1A}")
            try await command.waitForScreen(\.showsCursor)
            await command.waitForStop()
            command.send(SIGCONT)
            let updates = command.screen.updates
            try await command.waitForScreen { !$0.showsCursor && $0.updates > updates + 3 }
            try command.type("\u{3}")
            #expect(await command.waitForEnd().status == 130)
        }
    }
}
