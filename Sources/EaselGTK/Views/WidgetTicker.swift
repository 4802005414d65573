#if GTK
import CGTK

/// The tick callback of a widget. It is active only while frames are needed, so that an idle window does not wake.
@MainActor
struct WidgetTicker {
    fileprivate var id: guint = 0

    /// Whether frames are requested.
    var isRunning: Bool { id != 0 }
}

extension WidgetTarget {
    /// Requests frames if a visible part of the widget moves.
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

    /// Stops requesting frames.
    func stopTicking() {
        if ticker.id != 0 { gtk_widget_remove_tick_callback(widget, ticker.id) }
        ticker.id = 0
        painting.endTransition()
    }

    /// - Returns: Whether the next frame is needed.
    private func tick() -> Bool {
        painting.tick(at: FrameTime.now())
        if !painting.isMoving { ticker.id = 0 }
        return painting.isMoving
    }
}
#endif
