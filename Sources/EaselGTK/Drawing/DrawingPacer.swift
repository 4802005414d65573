#if GTK
import CGTK
import EaselCore

/// Runs a `DrawingPace` for all windows, which share the main thread.
@MainActor
final class DrawingPacer {
    static let shared = DrawingPacer()

    private var pace = DrawingPace<ObjectIdentifier>()
    /// The views with an image that is not drawn yet.
    private var waiting: [ObjectIdentifier: Reference] = [:]
    private var timer: ScheduledCall?
    private var frameStart: Duration?

    private struct Reference {
        weak var target: WidgetTarget?
    }

    /// Updates whether a view is visible and loading.
    func update(_ target: WidgetTarget) {
        run(pace.setLoading(ObjectIdentifier(target), target.isLaidOut && target.targetState.isLoading))
    }

    func remove(_ target: WidgetTarget) { run(pace.setLoading(ObjectIdentifier(target), false)) }

    /// Draws a view's new content, now or later.
    func draw(_ target: WidgetTarget) {
        let id = ObjectIdentifier(target)
        waiting[id] = Reference(target: target)
        run(pace.change(id, at: FrameTime.monotonic()))
    }

    func drawAll() { run(pace.drawAll()) }

    /// Measures the frames of a clock.
    func observe(_ clock: OpaquePointer) {
        let object = UnsafeMutablePointer<GObject>(clock)
        object.connect("before-paint") { [unowned self] _ in frameStart = FrameTime.monotonic() }
        object.connect("after-paint") { [unowned self] _ in
            guard let start = frameStart.take() else { return }
            pace.frame(from: start, to: FrameTime.monotonic())
        }
    }

    private func run(_ actions: [DrawingPace<ObjectIdentifier>.Action]) {
        for action in actions {
            switch action {
            case .draw(let views):
                for view in views { waiting.removeValue(forKey: view)?.target?.paintable.invalidate() }
            case .startTimer(let delay):
                timer?.cancel()
                timer = ScheduledCall(after: delay) { [unowned self] in drawAll() }
            case .stopTimer:
                timer.take()?.cancel()
            }
        }
    }
}
#endif
