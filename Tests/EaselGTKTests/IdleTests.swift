#if GTK && os(Linux)
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    /// A window in which nothing moves lets the processor sleep.
    @Suite @MainActor
    struct Idleness {
        @Test func aWindowThatShowsItsPictureWakesNobody() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.picture.easel.transition = .fade(duration: .milliseconds(20))
            view.picture.easel.indicator = .progressRing
            await view.load(view.serve("red.png", .red))
            // The fade, and what GTK does behind a window's first frames.
            try await Task.sleep(for: .milliseconds(300))
            let before = try Self.sleeps()
            try await Task.sleep(for: .milliseconds(400))
            let after = try Self.sleeps()
            // The main thread wakes once to end the pause, and may do so in a few steps; a timer at any pace would show.
            #expect(after.main - before.main <= 4)
            #expect(after.workers == before.workers)
        }

        /// How often GTK's thread, and Easel's own, have gone to sleep so far.
        private static func sleeps() throws -> (main: Int, workers: Int) {
            var (main, workers) = (0, 0)
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                let folder = "/proc/self/task/\(thread)/"
                // It may have ended meanwhile.
                guard let name = try? String(contentsOfFile: folder + "comm", encoding: .utf8),
                    let status = try? String(contentsOfFile: folder + "status", encoding: .utf8),
                    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") }),
                    let count = line.split(separator: "\t").last.flatMap({ Int($0) })
                else { continue }
                if thread == "\(getpid())" { main += count } else if name.hasPrefix("easel-") { workers += count }
            }
            return (main, workers)
        }
    }
}
#endif
