#if GTK
import CGTK
import EaselCore

/// The integration that runs the main actor on GLib's main loop. With any loop (`g_application_run`, `g_main_loop_run`
/// or a custom one with `g_main_context_iteration`), `Task { @MainActor in ... }` and `DispatchQueue.main` then work.
///
/// Easel attaches the main actor with its first view. An application that awaits on the main actor earlier calls
/// `attach()` itself at the start of a synchronous `main`. After the first `await` of an asynchronous `main`, the main
/// actor runs on another thread than GTK.
public enum MainLoop {
    @MainActor private static var isAttached = false

    /// Attaches the main actor to GLib's default main context. Idempotent. Adds no wake-ups: the loop sleeps until a
    /// job arrives.
    ///
    /// - Precondition: Called on the first thread of the process, which is GTK's.
    @MainActor public static func attach() {
        guard !isAttached else { return }
        isAttached = true
        precondition(easel_is_first_thread() != 0, "GTK and the main actor must run on the process's first thread")
        // The timers of animations use the same loop.
        AnimationTicker.shared = AnimationTicker(GLibAnimationClock())
        let descriptor = easel_main_queue_descriptor()
        guard descriptor >= 0 else { return }
        // At a lower priority than input and layout, so that a busy main actor cannot block them, and equal to drawing:
        // at a higher priority, a job that enqueues itself would prevent all drawing.
        g_unix_fd_add_full(
            GDK_PRIORITY_REDRAW, descriptor, G_IO_IN,
            { descriptor, _, _ in
                easel_run_main_queue(descriptor)
                return 1
            }, nil, nil)
    }
}

/// A call in another iteration of GLib's main loop, at the priority of drawing. At a lower one, slow frames would leave
/// no time for it.
@MainActor
final class ScheduledCall {
    private var body: (@MainActor () -> Void)?
    private var source: guint = 0

    /// Schedules a call. The loop retains this object until then.
    @discardableResult
    init(after delay: Duration = .zero, _ body: @escaping @MainActor () -> Void) {
        self.body = body
        let milliseconds = (delay / .milliseconds(1)).rounded(.up)
        source = g_timeout_add_full(
            GDK_PRIORITY_REDRAW, guint(min(max(milliseconds, 0), Double(Int32.max))),
            { data in
                guard let data else { return 0 }
                let call = Unmanaged<ScheduledCall>.fromOpaque(data).takeUnretainedValue()
                MainActor.assumeIsolated { call.run() }
                return 0
            }, Unmanaged.passRetained(self).toOpaque(), releaseObject)
    }

    private func run() {
        source = 0
        body.take()?()
    }

    func cancel() {
        body = nil
        if source != 0 { g_source_remove(source) }
        source = 0
    }
}

/// The time of transitions and spinners: GLib's monotonic time, like that of frame clocks.
@MainActor
enum FrameTime {
    /// Returns the time since a fixed moment. Tests replace it.
    static var now: () -> Duration = monotonic

    static let monotonic: () -> Duration = { .microseconds(g_get_monotonic_time()) }
}

/// An animation clock with GLib timers, which run on GTK's main loop.
final class GLibAnimationClock: AnimationClock {
    var now: Duration { FrameTime.monotonic() }

    func schedule(after delay: Duration, _ body: @escaping @MainActor () -> Void) -> @MainActor () -> Void {
        ScheduledCall(after: delay, body).cancel
    }
}
#endif
