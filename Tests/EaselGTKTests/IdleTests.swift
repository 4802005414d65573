#if GTK && os(Linux)
import CGTK
import EaselCore
@testable import EaselGTK
import EaselTesting
import Foundation
import Testing

extension GTKTests {
    @Suite("Idle window") @MainActor
    struct Idleness {
        @Test("an idle window does not wake any thread")
        func idleWindow() async throws {
            let view = try ViewFixture()
            await view.window.present()
            view.image.easel.transition = .fade(duration: .milliseconds(20))
            view.image.easel.indicator = .progressRing
            await view.load(view.serve("red.png", .red))
            // The fade, and GTK's work after a window's first frames, take time on a busy machine. A periodic wakeup
            // would occur in each of these pauses.
            for _ in 0..<20 where try await Self.isQuiet() { return }
            Issue.record("A thread wakes repeatedly.")
        }

        /// Returns whether no thread wakes during a pause, except the main thread in a few steps at its end.
        private static func isQuiet() async throws -> Bool {
            let before = try sleepCounts()
            try await Task.sleep(for: .milliseconds(400))
            let after = try sleepCounts()
            return after.main - before.main <= 4 && after.workers == before.workers
        }

        /// Returns how often GTK's thread and Easel's threads have slept so far.
        private static func sleepCounts() throws -> (main: Int, workers: Int) {
            var (main, workers) = (0, 0)
            for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task") {
                let folder = "/proc/self/task/\(thread)/"
                // The thread may have ended meanwhile.
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
