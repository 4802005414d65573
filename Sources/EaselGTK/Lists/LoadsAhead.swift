#if GTK
import CGTK
import EaselCore

/// Begins the loads of views that are not seen yet, as prefetches and in the order in which they were set, as long as there is
/// little to load for those that are seen.
@MainActor
final class LoadsAhead {
    static let shared = LoadsAhead()

    /// Loads at a time, those of views that are seen included: enough to keep a connection busy while pictures are decoded.
    static let limit = 8
    /// What memory has takes no time to load, but some to show.
    private static let mostInOneTurn = 16

    private struct Turn {
        weak var target: WidgetTarget?
        let number: Int
    }

    private var turns: [Turn] = []
    private var lastNumber = 0
    /// Those that load, by whether they are seen.
    private var seen: Set<ObjectIdentifier> = []
    private var unseen: Set<ObjectIdentifier> = []
    private var source: guint = 0

    /// Takes in a view whose load waits.
    func add(_ target: WidgetTarget) {
        lastNumber += 1
        target.turn = lastNumber
        turns.append(Turn(target: target, number: lastNumber))
        proceed()
    }

    /// A view's load has begun or ended, or it is seen now, or no longer.
    func loadsDidChange(of target: WidgetTarget) {
        let isLoading = target.targetState.isLoading
        forget(target)
        if isLoading, target.isMapped { seen.insert(ObjectIdentifier(target)) }
        if isLoading, !target.isMapped { unseen.insert(ObjectIdentifier(target)) }
        proceed()
    }

    /// The view is gone.
    func remove(_ target: WidgetTarget) {
        forget(target)
        proceed()
    }

    private func forget(_ target: WidgetTarget) {
        seen.remove(ObjectIdentifier(target))
        unseen.remove(ObjectIdentifier(target))
    }

    /// Begins what there is room for, behind whatever else there is to do now: layout decides what is seen.
    func proceed() {
        guard source == 0, !turns.isEmpty, hasRoom else { return }
        source = g_idle_add_full(
            GDK_PRIORITY_REDRAW + 1,
            { _ in
                MainActor.assumeIsolated { LoadsAhead.shared.run() }
                return 0
            }, nil, nil)
    }

    private var hasRoom: Bool { seen.count + unseen.count < Self.limit }

    private func run() {
        source = 0
        var begun = 0
        var kept: [Turn] = []
        // Who comes while these begin is behind them.
        var rest = exchange(&turns, with: [])[...]
        while hasRoom, begun < Self.mostInOneTurn, let turn = rest.popFirst() {
            guard let target = turn.target, target.turn == turn.number, !target.waiting.isEmpty else { continue }
            // A window that is not shown loads nothing; it begins when it is laid out.
            guard target.isInShownWindow, target.pixelSize != nil else {
                kept.append(turn)
                continue
            }
            target.beginWaiting()
            begun += 1
        }
        let hasMore = begun == Self.mostInOneTurn || !turns.isEmpty
        turns = kept + rest + turns
        // What was left out for want of a window or a size waits for a layout.
        if hasMore { proceed() }
    }
}

extension WidgetTarget {
    fileprivate var isInShownWindow: Bool {
        guard let root = gtk_widget_get_root(widget) else { return false }
        return gtk_widget_get_mapped(UnsafeMutablePointer<GtkWidget>(root)) != 0
    }
}
#endif
