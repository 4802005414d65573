#if GTK
import CGTK

/// A queue that notifies widgets after the first layout since they were shown, for which GTK has no signal.
///
/// When a grid is shown, it shows all its cells, and layout hides the invisible ones. Cells that are still shown after
/// the layout are visible. There is one queue per frame clock, so one per window.
@MainActor
final class LayoutQueue {
    private static let key = "easel-layout-queue"

    private struct Reference {
        weak var target: WidgetTarget?
    }

    private let signal = g_signal_lookup("layout", gdk_frame_clock_get_type())
    private var waiting: [Reference] = []
    /// The last frame in which it ran or was added too late to run.
    private var lastFrame: gint64

    private init(of clock: OpaquePointer) { lastFrame = gdk_frame_clock_get_frame_counter(clock) }

    /// Calls `didLayOut` of a mapped target after the current or next layout.
    static func add(_ target: WidgetTarget) {
        guard let clock = gtk_widget_get_frame_clock(target.widget) else { return }
        let queue = existing(of: clock) ?? make(for: clock)
        queue.waiting.append(Reference(target: target))
        // Requested even if other targets wait, because their layout may be the current one. A cell that appears during
        // the layout of its list only waits for the end of that layout.
        if !queue.willRun(in: clock) { gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_LAYOUT) }
    }

    /// Returns whether widgets of a window wait for its next layout.
    static func isDue(in root: UnsafeMutablePointer<GtkWidget>) -> Bool {
        guard let clock = gtk_widget_get_frame_clock(root) else { return false }
        return existing(of: clock)?.waiting.isEmpty == false
    }

    /// Returns whether a layout is running that this queue will follow.
    private func willRun(in clock: OpaquePointer) -> Bool {
        guard let hint = g_signal_get_invocation_hint(UnsafeMutableRawPointer(clock)) else { return false }
        return hint.pointee.signal_id == signal && lastFrame != gdk_frame_clock_get_frame_counter(clock)
    }

    private static func existing(of clock: OpaquePointer) -> LayoutQueue? { object(clock).attachment(key) }

    private static func make(for clock: OpaquePointer) -> LayoutQueue {
        let queue = LayoutQueue(of: clock)
        object(clock).attach(queue, key)
        // It stays connected, because a handler connected during a layout would miss it.
        object(clock).connect("layout", after: true) { [unowned queue] clock in
            if let clock { queue.run(in: clock) }
        }
        DrawingPacer.shared.observe(clock)
        return queue
    }

    private static func object(_ clock: OpaquePointer) -> UnsafeMutablePointer<GObject> {
        UnsafeMutablePointer(clock)
    }

    private func run(in clock: OpaquePointer) {
        lastFrame = gdk_frame_clock_get_frame_counter(clock)
        // The frame is drawn anyway.
        DrawingPacer.shared.drawAll()
        guard !waiting.isEmpty else { return }
        for reference in exchange(&waiting, with: []) { reference.target?.didLayOut() }
        Preloader.shared.scheduleStarts()
    }
}
#endif
