#if GTK
import CGTK
import EaselCore

/// The time that transitions and spinners go by: GLib's, as frame clocks have it.
@MainActor
enum FrameTime {
    /// The time since some fixed moment. Tests put one of their own in its place.
    static var now: () -> Duration = monotonic

    static let monotonic: () -> Duration = { .microseconds(g_get_monotonic_time()) }
}

/// Wakes animations by GLib's timers, which GTK's main loop runs.
final class GLibAnimationClock: AnimationClock {
    /// What a timer has to do, until it is called or cancelled.
    private final class Timer {
        var body: (@MainActor () -> Void)?
        var source: guint = 0

        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    var now: Duration { FrameTime.monotonic() }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        let timer = Timer(body)
        let milliseconds = (delay / .milliseconds(1)).rounded(.up)
        // As urgent as drawing, for which it is.
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
