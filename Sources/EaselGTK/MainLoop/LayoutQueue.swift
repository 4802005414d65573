#if GTK
import CGTK

/// Tells widgets that they have been laid out since they were shown, for which GTK has no signal.
///
/// A grid shows all its cells when it is shown itself, and hides those again that are out of sight when it is laid out: whoever is
/// still shown behind the layout is seen. One queue belongs to one frame clock, and so to one window.
@MainActor
final class LayoutQueue {
    private static let key = "easel-layout-queue"

    private struct Reference {
        weak var target: WidgetTarget?
    }

    private let signal = g_signal_lookup("layout", gdk_frame_clock_get_type())
    private var waiting: [Reference] = []
    /// The frame in which it ran last, or came too late to.
    private var lastFrame: gint64

    private init(of clock: OpaquePointer) { lastFrame = gdk_frame_clock_get_frame_counter(clock) }

    /// Calls `didLayOut` of a target behind the next layout, or behind this one where that is under way. It has to be shown.
    static func add(_ target: WidgetTarget) {
        guard let clock = gtk_widget_get_frame_clock(target.widget) else { return }
        let queue = existing(of: clock) ?? made(for: clock)
        queue.waiting.append(Reference(target: target))
        // Also where others wait: the layout that they asked for may be the one that is under way. A cell that comes into sight while
        // its list is laid out waits for that layout's end, and another one would be for nothing.
        if !queue.isYetToRun(in: clock) { gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT) }
    }

    /// Whether widgets of a window wait for its next layout.
    static func isDue(in root: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let clock = gtk_widget_get_frame_clock(root) else { return false }
        return existing(of: clock)?.waiting.isEmpty == false
    }

    /// Whether a layout is under way, at whose end it runs.
    private func isYetToRun(in clock: OpaquePointer) -> Bool {
        guard let hint = g_signal_get_invocation_hint(UnsafeMutableRawPointer(clock)) else { return false }
        return hint.pointee.signal_id == signal && lastFrame != gdk_frame_clock_get_frame_counter(clock)
    }

    private static func existing(of clock: OpaquePointer) -> LayoutQueue? {
        let object = UnsafeMutableRawPointer(clock).assumingMemoryBound(to: GObject.self)
        guard let data = g_object_get_data(object, key) else { return nil }
        return Unmanaged<LayoutQueue>.fromOpaque(data).takeUnretainedValue()
    }

    private static func made(for clock: OpaquePointer) -> LayoutQueue {
        let queue = LayoutQueue(of: clock)
        let data = Unmanaged.passRetained(queue).toOpaque()
        let object = UnsafeMutableRawPointer(clock).assumingMemoryBound(to: GObject.self)
        g_object_set_data_full(object, key, data) { data in
            guard let data else { return }
            Unmanaged<LayoutQueue>.fromOpaque(data).release()
        }
        let call: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { data, clock in
            guard let data, let clock else { return }
            let queue = Unmanaged<LayoutQueue>.fromOpaque(data).takeUnretainedValue()
            nonisolated(unsafe) let running = clock
            MainActor.assumeIsolated { queue.run(in: running) }
        }
        // Behind GTK's own handler, which lays out. It stays: one that came during a layout would miss that one.
        g_signal_connect_data(
            UnsafeMutableRawPointer(clock), "layout", unsafeBitCast(call, to: GCallback.self), data, nil,
            easel_connect_swapped_after)
        return queue
    }

    private func run(in clock: OpaquePointer) {
        lastFrame = gdk_frame_clock_get_frame_counter(clock)
        guard !waiting.isEmpty else { return }
        for reference in exchange(&waiting, with: []) { reference.target?.didLayOut() }
        LoadsAhead.shared.proceed()
    }
}
#endif
