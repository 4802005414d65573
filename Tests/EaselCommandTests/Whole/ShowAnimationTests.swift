import EaselCore
import Foundation
import Testing

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct ShowAnimationTests {
    @Test("an animation is played, and the terminal is restored")
    func playing() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.gif", try TestAnimation.gif(frames: 3, of: PixelSize(8, 6)))
            let outcome = try await folder.run(["show", path, "--graphics", "blocks", "--loop", "2", "--fps", "60"])
            #expect(outcome.status == 0)
            #expect(outcome.output.hasPrefix("\u{1B}[?25l\n\n\n\u{1B}[3A\u{1B}7"))
            // At least the first and the last; a slow machine may skip those between.
            #expect((2...6).contains(outcome.output.components(separatedBy: "\u{1B}[?2026h").count - 1))
            let end = try #require(outcome.output.range(of: "\u{1B}8\u{1B}[3B\r\u{1B}[0m\u{1B}[?25h"))
            #expect(outcome.output[end.upperBound...].hasPrefix("\(path): gif"))
        }
    }

    @Test("an animation in a pipe is not played")
    func pipeOutput() async throws {
        try await CommandFolder.with { folder in
            let path = try folder.add("a.gif", try TestAnimation.gif(frames: 3, of: PixelSize(8, 6)))
            for arguments in [["show", path, "--graphics", "blocks"], ["show", path, "--frame", "1", "--loop", "5"]] {
                let outcome = try await folder.run(arguments)
                #expect(outcome.status == 0 && !outcome.output.contains("\u{1B}[?25l"))
            }
        }
    }

    @Test("invalid options are usage errors")
    func invalidOptions() async throws {
        for arguments in [["--loop=-1"], ["--fps", "0"]] {
            #expect(try await RunningCommand.run(["show", "a.gif"] + arguments).status == 2)
        }
    }
}
