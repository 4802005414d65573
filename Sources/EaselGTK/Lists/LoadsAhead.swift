#if GTK
import CGTK
import EaselCore

/// Starts the loads of invisible views as prefetches, while few visible views are loading. Runs `LoadTurns` on GLib's
/// loop.
@MainActor
final class LoadsAhead {
    static let shared = LoadsAhead()

    /// An image in memory needs no load, but showing it takes time.
    private static let mostInOneTurn = 16

    /// Enough to keep connections and processors busy while a frame is drawn, which takes 20 ms without a graphics
    /// card.
    private var turns = LoadTurns<ObjectIdentifier>(limit: 8, ahead: 24)
    /// The waiting views. A view is removed before it is destroyed.
    private var targets: [ObjectIdentifier: Reference] = [:]
    private var source: guint = 0
    /// The timer that ends the precedence.
    private var timer: guint = 0

    private struct Reference {
        unowned let target: WidgetTarget
    }

    /// Adds a view with a waiting load.
    func add(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        targets[id] = Reference(target: target)
        turns.add(id)
        proceed()
    }

    /// Removes the waiting load of a view.
    func leave(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        if targets.removeValue(forKey: id) != nil { turns.leave(id) }
    }

    /// Updates whether a view is loading.
    func loadsDidChange(of target: WidgetTarget) {
        setLoading(target, target.targetState.isLoading)
    }

    /// Removes a view that is destroyed.
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

    /// Starts waiting loads in another iteration of the loop.
    func proceed() {
        guard source == 0, turns.isDue else { return }
        // Uses the priority of drawing: at a lower one, slow frames would leave no time for this.
        source = g_idle_add_full(
            GDK_PRIORITY_REDRAW,
            { _ in
                MainActor.assumeIsolated { LoadsAhead.shared.run() }
                return 0
            }, nil, nil)
    }

    /// Uses no frame clock, because that of a hidden window stops.
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
            // An image in memory needs no load, so no notification follows.
            loadsDidChange(of: target)
        }
        proceed()
    }

    /// Returns whether a load may start ahead: its window is shown and has no pending layout, which would change the
    /// visible views.
    private func mayBegin(_ id: ObjectIdentifier) -> Bool {
        guard let target = targets[id]?.target, let root = target.shownRoot else { return false }
        return target.pixelSize != nil && !LayoutQueue.isDue(in: root)
    }
}

extension WidgetTarget {
    /// The root of the widget's window, if the window is shown.
    fileprivate var shownRoot: UnsafeMutablePointer<GtkWidget>? {
        guard let root = gtk_widget_get_root(widget) else { return nil }
        let widget = UnsafeMutablePointer<GtkWidget>(root)
        return gtk_widget_get_mapped(widget) != 0 ? widget : nil
    }
}
#endif
