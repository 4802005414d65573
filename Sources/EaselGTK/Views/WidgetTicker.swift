#if GTK
import CGTK

/// Asks a widget's frame clock for frames, only while somebody needs them: without it an idle window wakes nobody.
@MainActor
struct WidgetTicker {
    fileprivate var id: guint = 0
    /// Frames until the widget has been laid out for certain.
    fileprivate var framesUntilLayout = 0

    /// Whether frames are asked for.
    var isRunning: Bool { id != 0 }
}

extension WidgetTarget {
    /// Asks for frames, where something moves that can be seen.
    func tickIfNeeded() {
        guard ticker.id == 0, isMapped, needsTick else { return }
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

    /// Begins what waits for the widget's size, once it has one: GTK does not tell, but it lays out behind the first frame's
    /// tick, so that it has one in the second.
    func awaitLayout() {
        ticker.framesUntilLayout = 2
        tickIfNeeded()
    }

    private var needsTick: Bool { painting.isMoving || ticker.framesUntilLayout > 0 }

    /// - Returns: whether the next frame is wanted too.
    private func tick() -> Bool {
        if painting.isMoving { painting.tick(at: FrameTime.now()) }
        if ticker.framesUntilLayout > 0 {
            ticker.framesUntilLayout -= 1
            if ticker.framesUntilLayout == 0 { beginWaiting() }
        }
        // What was begun may have asked for frames, and has been told that they come.
        if !needsTick { ticker.id = 0 }
        return needsTick
    }
}
#endif
