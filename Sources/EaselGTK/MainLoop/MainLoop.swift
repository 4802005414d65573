#if GTK
import CGTK
import EaselCore

/// Lets GLib's main loop run the main actor: whatever runs that loop (`g_application_run`, `g_main_loop_run`, a loop of
/// one's own around `g_main_context_iteration`) then runs `Task { @MainActor in ... }` and `DispatchQueue.main` too.
///
/// Easel attaches it with the first view that it is given. An application that awaits on the main actor before it has a
/// view attaches it itself, at the start of a synchronous `main`: behind the first `await` of an asynchronous one the main
/// actor is on another thread for good, and GTK is not.
public enum MainLoop {
    @MainActor private static var isAttached = false

    /// Attaches the main actor to GLib's default main context; only the first call does anything. No wake-ups are added:
    /// the loop sleeps until a job comes.
    ///
    /// - Precondition: it is called on the process's first thread, which is GTK's.
    @MainActor public static func attach() {
        guard !isAttached else { return }
        isAttached = true
        precondition(easel_is_first_thread() != 0, "GTK and the main actor have to be on the process's first thread")
        // Frames of animations come by the same loop's timers.
        AnimationTicker.shared = AnimationTicker(GLibAnimationClock())
        let descriptor = easel_main_queue_descriptor()
        guard descriptor >= 0 else { return }
        // Below input and layout, so that a main actor which never rests cannot stop them, and beside drawing: at a
        // higher priority a job that queues itself again would leave no frame to be drawn.
        g_unix_fd_add_full(
            GDK_PRIORITY_REDRAW, descriptor, G_IO_IN,
            { descriptor, _, _ in
                easel_run_main_queue(descriptor)
                return 1
            }, nil, nil)
    }
}
#endif
