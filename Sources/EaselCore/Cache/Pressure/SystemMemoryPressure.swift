import CEaselSystem
import Synchronization
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What Linux tells of memory: how long tasks wait for it (pressure stall information), else what befalls the control group.
///
/// One thread of its own, which sleeps in `poll` until the kernel has news. It ends, and closes every descriptor, when
/// watching stops, and at once where the system tells nothing.
final class SystemMemoryPressure: MemoryPressureSource {
    private let places: @Sendable () -> PressurePlaces
    /// The end of a pipe whose other end the thread watches: closing it is the sign to stop.
    private let stopSign = Mutex<Int32?>(nil)

    init(places: @escaping @Sendable () -> PressurePlaces = { .ofSystem() }) {
        self.places = places
    }

    deinit { stop() }

    func start(_ report: @escaping @Sendable (MemoryPressure) -> Void) {
        var ends: (Int32, Int32) = (-1, -1)
        guard easel_pipe_open(&ends.0, &ends.1) == 0 else { return }
        // The thread owns the loop, which closes the reading end.
        let loop = Unmanaged.passRetained(PressureLoop(stop: ends.0, places: places, report: report))
        let failure = easel_thread_start(
            "easel-pressure",
            { context in
                guard let context else { return }
                Unmanaged<PressureLoop>.fromOpaque(context).takeRetainedValue().run()
            }, loop.toOpaque())
        // Without a thread nothing is watched, and the caches keep to their limits all the same.
        if failure != 0 { loop.release() }
        let before = stopSign.withLock { sign -> Int32? in
            defer { sign = ends.1 }
            return sign
        }
        if let before { close(before) }
    }

    func stop() {
        if let sign = stopSign.withLock({ $0.take() }) { close(sign) }
    }
}
