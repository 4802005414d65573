#if GTK
import CGTK
import EaselCore

/// An object that starts the loads of invisible views as prefetches, while few visible views are loading. Runs a
/// `PreloadQueue` on GLib's loop.
@MainActor
final class Preloader {
    static let shared = Preloader()

    /// An image in memory needs no load, but showing it takes time.
    private static let maximumStartsPerCall = 16

    /// Enough to keep connections and processors busy while a frame is drawn, which takes 20 ms without a graphics
    /// card.
    private var queue = PreloadQueue<ObjectIdentifier>(limit: 8, preloads: 24)
    /// The waiting views. A view is removed before it is destroyed.
    private var targets: [ObjectIdentifier: Reference] = [:]
    private var isScheduled = false
    /// The timer that ends the precedence. It uses no frame clock, because that of a hidden window stops.
    private var timer: ScheduledCall?

    private struct Reference {
        unowned let target: WidgetTarget
    }

    func add(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        targets[id] = Reference(target: target)
        queue.add(id)
        scheduleStarts()
    }

    func remove(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        if targets.removeValue(forKey: id) != nil { queue.remove(id) }
    }

    func setLoading(_ target: WidgetTarget, _ isLoading: Bool) {
        let before = queue.precedence
        queue.setLoading(ObjectIdentifier(target), isLoading)
        scheduleStarts()
        guard queue.precedence != before else { return }
        timer?.cancel()
        timer = queue.precedence.timeLimit.map { limit in
            ScheduledCall(after: limit) { [self] in
                queue.endPrecedence()
                scheduleStarts()
            }
        }
    }

    /// Starts waiting loads in another iteration of the loop.
    func scheduleStarts() {
        guard !isScheduled, queue.isDue else { return }
        isScheduled = true
        ScheduledCall { [self] in startLoads() }
    }

    private func startLoads() {
        isScheduled = false
        for _ in 0..<Self.maximumStartsPerCall {
            guard let id = queue.next(canStart: { canStart($0) }) else { return }
            guard let target = targets.removeValue(forKey: id)?.target else { continue }
            target.startWaitingLoads()
            // An image in memory needs no load, so no notification follows.
            setLoading(target, target.targetState.isLoading)
        }
        scheduleStarts()
    }

    /// Returns whether a preload may start: the window of its view is shown and has no pending layout, which would
    /// change the visible views.
    private func canStart(_ id: ObjectIdentifier) -> Bool {
        guard let target = targets[id]?.target, let root = gtk_widget_get_root(target.widget) else { return false }
        let window = UnsafeMutablePointer<GtkWidget>(root)
        return gtk_widget_get_mapped(window) != 0 && target.pixelSize != nil && !LayoutQueue.isDue(in: window)
    }
}
#endif
