#if GTK
import CGTK

/// Asks a widget's frame clock for frames, only while somebody needs them: without it an idle window wakes nobody.
@MainActor
struct WidgetTicker {
    fileprivate var id: guint = 0

    /// Whether frames are asked for.
    var isRunning: Bool { id != 0 }
}

extension WidgetTarget {
    /// Asks for frames, where something moves that can be seen.
    func tickIfNeeded() {
        guard ticker.id == 0, isMapped, painting.isMoving else { return }
        ticker.id = gtk_widget_add_tick_callback(
            widget,
            { _, _, data in
                guard let data else { return 0 }
                let target = Unmanaged<WidgetTarget>.fromOpaque(data).takeUnretainedValue()
                return MainActor.assumeIsolated { target.tick() ? 1 : 0 }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// Nothing is seen any more.
    func stopTicking() {
        if ticker.id != 0 { gtk_widget_remove_tick_callback(widget, ticker.id) }
        ticker.id = 0
        painting.endTransition()
    }

    /// - Returns: whether the next frame is wanted too.
    private func tick() -> Bool {
        painting.tick(at: FrameTime.now())
        if !painting.isMoving { ticker.id = 0 }
        return painting.isMoving
    }
}
#endif
