#if GTK
import CGTK
import EaselCore

/// Runs the main actor on GLib's main loop. With any loop (`g_application_run`, `g_main_loop_run` or a custom one with
/// `g_main_context_iteration`), `Task { @MainActor in ... }` and `DispatchQueue.main` then work.
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
#endif
