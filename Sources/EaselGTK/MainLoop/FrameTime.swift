#if GTK
import CGTK
import EaselCore

/// The time of transitions and spinners: GLib's monotonic time, like that of frame clocks.
@MainActor
enum FrameTime {
    /// Returns the time since a fixed moment. Tests replace it.
    static var now: () -> Duration = monotonic

    static let monotonic: () -> Duration = { .microseconds(g_get_monotonic_time()) }
}

/// An animation clock with GLib timers, which run on GTK's main loop.
final class GLibAnimationClock: AnimationClock {
    /// The pending action of a timer.
    private final class Timer {
        var body: (@MainActor () -> Void)?
        var source: guint = 0

        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    var now: Duration { FrameTime.monotonic() }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        let timer = Timer(body)
        let milliseconds = (delay / .milliseconds(1)).rounded(.up)
        // The priority of drawing, which the timers trigger.
        timer.source = g_timeout_add_full(
            GDK_PRIORITY_REDRAW, guint(min(max(milliseconds, 0), Double(Int32.max))),
            { data in
                guard let data else { return 0 }
                let timer = Unmanaged<Timer>.fromOpaque(data).takeUnretainedValue()
                nonisolated(unsafe) let ringing = timer
                MainActor.assumeIsolated {
                    ringing.source = 0
                    let body = ringing.body
                    ringing.body = nil
                    body?()
                }
                return 0
            }, Unmanaged.passRetained(timer).toOpaque(),
            { data in
                guard let data else { return }
                Unmanaged<Timer>.fromOpaque(data).release()
            })
        return {
            timer.body = nil
            guard timer.source != 0 else { return }
            g_source_remove(timer.source)
            timer.source = 0
        }
    }
}
#endif
