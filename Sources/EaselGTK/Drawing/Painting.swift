#if GTK
import CGTK
import EaselCore

/// What one view shows: its image or nothing, a transition between two, and the sign that it is loading.
///
/// It knows no widget: it draws into a snapshot of any size, at a time that it is told.
@MainActor
final class Painting {
    /// What says that a load is under way.
    enum Indication: Equatable {
        /// It goes round, since this time.
        case spinner(since: Duration)
        /// So much of it is there.
        case ring(fraction: Double)
    }

    /// What it looks like where it is shown.
    struct Surroundings {
        /// Shown while there is no image.
        var back: ImageColor = .clear
        /// Of text.
        var foreground = GdkRGBA(red: 0.5, green: 0.5, blue: 0.5, alpha: 1)
        var isMirrored = false
    }

    /// Something else is to be drawn.
    var didChange: () -> Void = {}
    /// The size of the image has changed. A view without a natural size may take it.
    var didResize: () -> Void = {}
    /// It was drawn at this size.
    var didDraw: (Extent) -> Void = { _ in }
    var surroundings: () -> Surroundings = { Surroundings() }
    /// Whether the view takes the image's size if it has no natural size.
    var hasNaturalSize: () -> Bool = { false }

    /// What the view says of `fit`, where it has a say of its own.
    var fitOfView: (() -> ContentFit)?
    private var ownFit = ContentFit.contain
    private var last = (surroundings: Surroundings(), fit: ContentFit.contain)
    var fit: ContentFit {
        get { fitOfView?() ?? ownFit }
        set {
            guard newValue != ownFit else { return }
            ownFit = newValue
            didChange()
        }
    }
    var indication: Indication? {
        didSet { if indication != oldValue { didChange() } }
    }
    /// Shown behind all that, as large as the view.
    var background: Layer? {
        didSet { didChange() }
    }
    /// What is shown now, or at the end of the transition.
    private(set) var layer: Layer?
    private(set) var transition: TransitionRun?
    private var finish: (@MainActor () -> Void)?

    /// The view is gone; whoever holds its paintable goes on drawing what is shown.
    func detach() {
        // Its last word: it cannot be asked any more.
        let last = last
        surroundings = { last.surroundings }
        fitOfView = nil
        ownFit = last.fit
        hasNaturalSize = { true }
        didDraw = { _ in }
        indication = nil
        endTransition()
    }

    /// Shows another image, or nothing. A transition that runs is over.
    func show(_ layer: Layer?) {
        replace(layer)
        endTransition()
    }

    /// Shows another image with a transition from what is shown, and calls `finish` when that has ended or was interrupted.
    func show(
        _ layer: Layer, with transition: ImageTransition, at now: Duration,
        finish: @escaping @MainActor () -> Void
    ) {
        let old = self.layer
        show(layer)
        guard let run = TransitionRun(transition, from: old, at: now) else { return finish() }
        self.transition = run
        self.finish = finish
    }

    /// Shows the next frame of what is shown. A transition to it goes on.
    func replace(_ layer: Layer?) {
        let size = naturalSize
        self.layer = layer
        didChange()
        // GTK measures and lays out the whole window for it.
        if size != naturalSize { didResize() }
    }

    /// The size that it asks for, in whole points; zero where it asks for none.
    var naturalSize: (width: Int32, height: Int32) {
        guard let layer, hasNaturalSize(), !layer.isPlaceholder else { return (0, 0) }
        return (Int32(layer.extent.width.rounded(.up)), Int32(layer.extent.height.rounded(.up)))
    }

    /// Whether it looks different in each frame: a tick is needed then, and only then.
    var isMoving: Bool {
        if transition != nil { return true }
        if case .spinner = indication { return true }
        return false
    }

    /// A frame is about to be drawn.
    func tick(at now: Duration) {
        if let transition, transition.progress(at: now) >= 1 { endTransition() }
        didChange()
    }

    /// What follows is shown from now on, without anything between.
    func endTransition() {
        guard transition != nil else { return }
        transition = nil
        didChange()
        let finish = exchange(&self.finish, with: nil)
        finish?()
    }

    func draw(_ snapshot: OpaquePointer, in view: Extent, at now: Duration) {
        guard !view.isEmpty else { return }
        let surroundings = surroundings()
        last = (surroundings, fit)
        background?.draw(snapshot, in: view, .fill)
        if let transition, transition.progress(at: now) < 1 {
            transition.draw(snapshot, in: view, at: now, isMirrored: surroundings.isMirrored) {
                draw(transition.old, snapshot, in: view, surroundings)
            } new: { factor in
                layer?.draw(snapshot, in: view, fit, scaledBy: factor)
            }
        } else {
            draw(layer, snapshot, in: view, surroundings)
        }
        draw(indication, snapshot, in: view, surroundings, at: now)
        didDraw(view)
    }

    private func draw(
        _ layer: Layer?, _ snapshot: OpaquePointer, in view: Extent, _ surroundings: Surroundings
    ) {
        if let layer {
            layer.draw(snapshot, in: view, fit)
        } else if surroundings.back.alpha > 0 {
            var color = GdkRGBA(surroundings.back)
            var bounds = Place(x: 0, y: 0, width: view.width, height: view.height).rectangle
            gtk_snapshot_append_color(snapshot, &color, &bounds)
        }
    }

    private func draw(
        _ indication: Indication?, _ snapshot: OpaquePointer, in view: Extent, _ surroundings: Surroundings,
        at now: Duration
    ) {
        let arc: ProgressDrawing.Arc
        switch indication {
        case .spinner(let since): arc = ProgressDrawing.spinner(at: now - since)
        case .ring(let fraction): arc = ProgressDrawing.ring(fraction: fraction)
        case nil: return
        }
        ProgressDrawing.draw(arc, snapshot, in: view, color: surroundings.foreground)
    }
}
#endif
