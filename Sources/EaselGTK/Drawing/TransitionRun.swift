#if GTK
import CGTK
import EaselCore

/// A transition that runs: from what was shown to what is shown now.
struct TransitionRun {
    /// What was shown, where anything was.
    let old: Layer?
    let kind: Kind
    let start: Duration
    let duration: Duration

    /// What is drawn; what GTK has no means for fades.
    enum Kind: Equatable {
        case fade
        case slide(from: ImageTransition.Edge)
        case zoom
    }

    /// `nil` for a transition that is over at once.
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

    /// From 0 at its start to 1 at its end.
    func progress(at now: Duration) -> Double { min(max((now - start) / duration, 0), 1) }

    /// Draws what is between `old` and `new`.
    ///
    /// - Parameter back: draws what is behind both, where they leave something of it to be seen.
    func draw(
        _ snapshot: OpaquePointer, in view: Extent, at now: Duration, isMirrored: Bool,
        old drawOld: () -> Void, new drawNew: (_ scaledBy: Double) -> Void
    ) {
        let progress = progress(at: now)
        // What moves slows down before it stops; what only changes its colour goes evenly.
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
