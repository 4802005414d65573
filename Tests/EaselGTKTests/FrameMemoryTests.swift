#if GTK
import CGTK
@testable import EaselCore
@testable import EaselGTK
import EaselTesting
import Testing

extension GTKTests {
    /// What frames are drawn into, where Cairo draws for an X server on this machine, as in `make test-gtk`.
    @Suite @MainActor
    struct FrameMemoryUse {
        @Test func framesUseTheSameSharedMemory() async throws {
            let view = try ViewFixture(width: 320, height: 240)
            view.picture.easel.setImage(with: nil, manager: view.manager)
            await view.window.present()
            let first = try shared()
            #expect(!first.isEmpty)
            await view.load(view.serve("red.png", .red))
            await view.window.frame()
            #expect(try shared() == first)
        }

        @Test(.timeLimit(.minutes(1)))
        func itGoesWithTheWindow() async throws {
            let view = try ViewFixture(width: 320, height: 240)
            view.picture.easel.setImage(with: nil, manager: view.manager)
            await view.window.present()
            #expect(try !shared().isEmpty)
            view.window.close()
            try await until { try shared().isEmpty }
            #expect(try shared().isEmpty)
        }

        /// The pieces of System V's shared memory that this process has. Read to the end: Foundation takes such a file for whole
        /// after the first piece that the kernel gives of it.
        private func shared() throws -> Set<Substring> {
            let maps = String(decoding: try readFile("/proc/self/maps", limit: 1 << 24), as: UTF8.self)
            return Set(maps.split(separator: "\n").filter { $0.contains("/SYSV") })
        }
    }
}
#endif
