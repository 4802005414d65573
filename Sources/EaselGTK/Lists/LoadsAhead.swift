#if GTK
import CGTK
import EaselCore

/// Begins the loads of views that are not seen yet, as prefetches, as long as there is little to load for those that are seen:
/// a `LoadTurns` with its views, on GLib's loop.
@MainActor
final class LoadsAhead {
    static let shared = LoadsAhead()

    /// What memory has takes no time to load, but some to show.
    private static let mostInOneTurn = 16

    /// Enough to keep connections and processors busy while a frame is drawn, which on a machine without a graphics card takes 20 ms:
    /// only behind it others begin.
    private var turns = LoadTurns<ObjectIdentifier>(limit: 8, ahead: 24)
    /// Those in line. A view leaves it before it goes.
    private var targets: [ObjectIdentifier: Reference] = [:]
    private var source: guint = 0
    /// Ends what goes before the loads ahead.
    private var timer: guint = 0

    private struct Reference {
        unowned let target: WidgetTarget
    }

    /// Takes in a view whose load waits.
    func add(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        targets[id] = Reference(target: target)
        turns.add(id)
        proceed()
    }

    /// Nothing of a view waits any more.
    func leave(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        if targets.removeValue(forKey: id) != nil { turns.leave(id) }
    }

    /// A view's load has begun, or is over.
    func loadsDidChange(of target: WidgetTarget) {
        setLoading(target, target.targetState.isLoading)
    }

    /// The view is gone.
    func remove(_ target: WidgetTarget) {
        leave(target)
        setLoading(target, false)
    }

    private func setLoading(_ target: WidgetTarget, _ isLoading: Bool) {
        let before = turns.precedence
        turns.setLoading(ObjectIdentifier(target), isLoading)
        proceed()
        if turns.precedence != before { startTimer() }
    }

    /// Begins what there is room for in another turn of the loop.
    func proceed() {
        guard source == 0, turns.isDue else { return }
        // In turns with drawing: below it, frames that take longer than the display's would leave no time for this.
        source = g_idle_add_full(
            GDK_PRIORITY_REDRAW,
            { _ in
                MainActor.assumeIsolated { LoadsAhead.shared.run() }
                return 0
            }, nil, nil)
    }

    /// Not by a frame clock: that of a window which is hidden meanwhile stands still.
    private func startTimer() {
        if timer != 0 { g_source_remove(timer) }
        timer = 0
        guard let patience = turns.precedence.patience else { return }
        timer = g_timeout_add_full(
            GDK_PRIORITY_REDRAW, guint(patience / .milliseconds(1)),
            { _ in
                MainActor.assumeIsolated { LoadsAhead.shared.endPrecedence() }
                return 0
            }, nil, nil)
    }

    private func endPrecedence() {
        timer = 0
        turns.endPrecedence()
        proceed()
    }

    private func run() {
        source = 0
        for _ in 0..<Self.mostInOneTurn {
            guard let id = turns.next(mayBegin: { mayBegin($0) }) else { return }
            guard let target = targets.removeValue(forKey: id)?.target else { continue }
            target.beginWaiting()
            // What memory had is no load, and tells nobody.
            loadsDidChange(of: target)
        }
        proceed()
    }

    /// Nothing loads ahead in a window that is not shown, nor in one that is about to be laid out, which decides what is seen: it begins
    /// behind that.
    private func mayBegin(_ id: ObjectIdentifier) -> Bool {
        guard let target = targets[id]?.target, let root = target.shownRoot else { return false }
        return target.pixelSize != nil && !LayoutQueue.isDue(in: root)
    }
}

extension WidgetTarget {
    /// The root of its window, where that is shown.
    fileprivate var shownRoot: UnsafeMutablePointer<GtkWidget>? {
        guard let root = gtk_widget_get_root(widget) else { return nil }
        let widget = UnsafeMutablePointer<GtkWidget>(root)
        return gtk_widget_get_mapped(widget) != 0 ? widget : nil
    }
}
#endif
