#if GTK
import CGTK
import EaselCore

struct TransitionRun {
    let old: Layer?
    let kind: Kind
    let start: Duration
    let duration: Duration

    /// The kind of drawing. Transitions without an equivalent in GTK fade.
    enum Kind: Equatable {
        case fade
        case slide(from: ImageTransition.Edge)
        case zoom
    }

    /// Returns `nil` for a transition without duration.
    init?(_ transition: ImageTransition, from old: Layer?, at now: Duration) {
        guard transition.duration > .zero else { return nil }
        switch transition.kind {
        case .none, .custom: return nil
        case .fade, .flip, .curl: kind = .fade
        case .slide(let edge): kind = .slide(from: edge)
        case .zoom: kind = .zoom
        }
        self.old = old
        start = now
        duration = transition.duration
    }

    /// Returns the progress, from 0 at the start to 1 at the end.
    func progress(at now: Duration) -> Double { min(max((now - start) / duration, 0), 1) }

    func draw(
        _ snapshot: OpaquePointer, in view: Extent, at now: Duration, isMirrored: Bool,
        old drawOld: () -> Void, new drawNew: (_ scaledBy: Double) -> Void
    ) {
        let progress = progress(at: now)
        // Movement slows down towards the end. Fades are linear.
        let eased = 1 - (1 - progress) * (1 - progress) * (1 - progress)
        switch kind {
        case .fade:
            crossFade(snapshot, progress, drawOld) { drawNew(1) }
        case .zoom:
            pushClip(snapshot, to: view)
            crossFade(snapshot, progress, drawOld) {
                drawOld()
                drawNew(0.6 + 0.4 * eased)
            }
            gtk_snapshot_pop(snapshot)
        case .slide(let edge):
            pushClip(snapshot, to: view)
            drawOld()
            gtk_snapshot_save(snapshot)
            let offset = Self.offset(from: edge, in: view, isMirrored: isMirrored)
            var point = graphene_point_t(x: Float(offset.x * (1 - eased)), y: Float(offset.y * (1 - eased)))
            gtk_snapshot_translate(snapshot, &point)
            drawNew(1)
            gtk_snapshot_restore(snapshot)
            gtk_snapshot_pop(snapshot)
        }
    }

    private func crossFade(
        _ snapshot: OpaquePointer, _ progress: Double, _ first: () -> Void, _ second: () -> Void
    ) {
        gtk_snapshot_push_cross_fade(snapshot, progress)
        first()
        gtk_snapshot_pop(snapshot)
        second()
        gtk_snapshot_pop(snapshot)
    }

    private static func offset(
        from edge: ImageTransition.Edge, in view: Extent, isMirrored: Bool
    ) -> (x: Double, y: Double) {
        switch edge {
        case .leading: (isMirrored ? view.width : -view.width, 0)
        case .trailing: (isMirrored ? -view.width : view.width, 0)
        case .top: (0, -view.height)
        case .bottom: (0, view.height)
        }
    }
}
#endif
