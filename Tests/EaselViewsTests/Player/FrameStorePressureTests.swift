import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import EaselCore
@testable import EaselViews

@Suite("Frame store: memory pressure", .timeLimit(.minutes(1)))
struct FrameStorePressureTests {
    /// A source that calls a closure when it stops.
    private final class Source: MemoryPressureSource {
        let isRunning = Mutex(false)
        let whenStopped = Mutex<(@Sendable () -> Void)?>(nil)

        func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) { isRunning.withLock { $0 = true } }

        func stop() {
            isRunning.withLock { $0 = false }
            whenStopped.withLock { $0.take() }?()
        }
    }

    private func animation() throws -> Animation {
        try Animation(data: FilmCoder.file([5, 5]), coders: FilmCoder().registry)
    }

    @Test("memory pressure is monitored while there are animations")
    func watched() throws {
        let source = Source()
        let store = FrameStore(limit: ByteCount(1 << 20), monitor: MemoryPressureMonitor(source))
        #expect(!source.isRunning.withLock { $0 })
        var first: Animation? = try animation()
        _ = first.map { store.join($0) {} }
        #expect(source.isRunning.withLock { $0 })
        first = nil
        #expect(!source.isRunning.withLock { $0 })
    }

    @Test("monitoring restarts if an animation joins while it stops")
    func comesAtTheEnd() throws {
        let source = Source()
        let store = FrameStore(limit: ByteCount(1 << 20), monitor: MemoryPressureMonitor(source))
        var first: Animation? = try animation()
        let second = try animation()
        _ = first.map { store.join($0) {} }
        source.whenStopped.withLock { $0 = { _ = store.join(second) {} } }
        first = nil
        #expect(store.animationCount == 1)
        #expect(source.isRunning.withLock { $0 })
        withExtendedLifetime(second) {}
    }
}
