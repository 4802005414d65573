#if GTK
import CGTK
import EaselCore

/// The content of a view: an image, a transition between two images, and a loading indicator.
///
/// Independent of widgets: it draws into a snapshot of any size, for a given time.
@MainActor
final class Painting {
    enum LoadingIndication: Equatable {
        /// A spinner that started at this time.
        case spinner(since: Duration)
        /// A ring that is closed to this fraction.
        case ring(fraction: Double)
    }

    struct Appearance {
        /// The background while there is no image.
        var background: ImageColor = .clear
        var foreground = GdkRGBA(red: 0.5, green: 0.5, blue: 0.5, alpha: 1)
        var isMirrored = false
    }

    var didChange: () -> Void = {}
    /// Called when the size of the image changed. A view without a natural size may adopt it.
    var didResize: () -> Void = {}
    var didDraw: (Extent) -> Void = { _ in }
    var appearance: () -> Appearance = { Appearance() }
    /// Whether the view takes the image's size if it has no natural size.
    var hasNaturalSize: () -> Bool = { false }

    /// Returns the fit of a view that has its own setting.
    var viewFit: (() -> ContentFit)?
    private var ownFit = ContentFit.contain
    private var last = (appearance: Appearance(), fit: ContentFit.contain)
    var fit: ContentFit {
        get { viewFit?() ?? ownFit }
        set {
            guard newValue != ownFit else { return }
            ownFit = newValue
            didChange()
        }
    }
    var indication: LoadingIndication? { didSet { if indication != oldValue { didChange() } } }
    /// The background image, stretched to the view.
    var background: Layer? { didSet { didChange() } }
    /// The current image, or the target of the transition.
    private(set) var layer: Layer?
    private(set) var transition: TransitionRun?
    private var finish: (@MainActor () -> Void)?

    /// Detaches from the view. The paintable keeps drawing the current image for its other owners.
    func detach() {
        // Keep the last values, because the view can no longer be queried.
        let last = last
        appearance = { last.appearance }
        viewFit = nil
        ownFit = last.fit
        hasNaturalSize = { true }
        didDraw = { _ in }
        indication = nil
        endTransition()
    }

    /// Shows another image with a transition, and calls `finish` when the transition ended or was interrupted.
    ///
    /// - Returns: A function to call last: it calls the completions of transitions that have ended, which may show
    ///   another image.
    func show(
        _ layer: Layer, with transition: ImageTransition, at now: Duration, finish: @escaping @MainActor () -> Void
    ) -> @MainActor () -> Void {
        let interrupted = exchange(&self.finish, with: finish)
        self.transition = TransitionRun(transition, from: self.layer, at: now)
        replace(layer)
        if self.transition != nil { return { interrupted?() } }
        self.finish = nil
        return {
            interrupted?()
            finish()
        }
    }

    /// Shows another image, the next frame of the current one, or nothing. A transition continues.
    func replace(_ layer: Layer?) {
        let size = naturalSize
        self.layer = layer
        didChange()
        // `didResize` makes GTK lay out the whole window.
        if size != naturalSize { didResize() }
    }

    /// The requested size in whole points, or zero for none.
    var naturalSize: (width: Int32, height: Int32) {
        guard let layer, hasNaturalSize(), !layer.isPlaceholder else { return (0, 0) }
        return (Int32(layer.extent.width.rounded(.up)), Int32(layer.extent.height.rounded(.up)))
    }

    /// Whether the view changes with each frame, so that ticks are needed.
    var isMoving: Bool {
        if transition != nil { return true }
        if case .spinner = indication { return true }
        return false
    }

    func tick(at now: Duration) {
        if let transition, transition.progress(at: now) >= 1 { endTransition() }
        didChange()
    }

    func endTransition() {
        guard transition != nil else { return }
        transition = nil
        didChange()
        let finish = exchange(&self.finish, with: nil)
        finish?()
    }

    func draw(_ snapshot: OpaquePointer, in view: Extent, at now: Duration) {
        guard !view.isEmpty else { return }
        let appearance = appearance()
        last = (appearance, fit)
        background?.draw(snapshot, in: view, .fill)
        if let transition, transition.progress(at: now) < 1 {
            transition.draw(snapshot, in: view, at: now, isMirrored: appearance.isMirrored) {
                draw(transition.old, snapshot, in: view, appearance)
            } new: { factor in
                layer?.draw(snapshot, in: view, fit, scaledBy: factor)
            }
        } else {
            draw(layer, snapshot, in: view, appearance)
        }
        let arc: ProgressDrawing.Arc? =
            switch indication {
            case .spinner(let since): ProgressDrawing.spinner(at: now - since)
            case .ring(let fraction): ProgressDrawing.ring(fraction: fraction)
            case nil: nil
            }
        if let arc { ProgressDrawing.draw(arc, snapshot, in: view, color: appearance.foreground) }
        didDraw(view)
    }

    private func draw(_ layer: Layer?, _ snapshot: OpaquePointer, in view: Extent, _ appearance: Appearance) {
        if let layer {
            layer.draw(snapshot, in: view, fit)
        } else if appearance.background.alpha > 0 {
            var color = GdkRGBA(appearance.background)
            var bounds = Rectangle(size: view).graphene
            gtk_snapshot_append_color(snapshot, &color, &bounds)
        }
    }
}
#endif
