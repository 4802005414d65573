#if canImport(QuartzCore)
import EaselCore
import EaselViews
import QuartzCore

extension CALayer {
    private static let transitionKey = "easel.transition"

    /// Runs a transition from the current content of the layer to that set by `show`.
    @MainActor
    func run(
        _ transition: ImageTransition, isRightToLeft: Bool, showing show: () -> Void,
        finish: @escaping @MainActor () -> Void
    ) {
        CATransaction.begin()
        CATransaction.setCompletionBlock {
            // Core Animation calls this on the thread that began the transaction.
            MainActor.assumeIsolated { finish() }
        }
        let animation = CATransition()
        animation.duration = transition.duration / .seconds(1)
        animation.timingFunction = CAMediaTimingFunction(name: .easeInEaseOut)
        if case .slide(let edge) = transition.kind {
            animation.type = .moveIn
            animation.subtype = edge.subtype(isRightToLeft: isRightToLeft)
        } else {
            animation.type = .fade
        }
        show()
        add(animation, forKey: Self.transitionKey)
        CATransaction.commit()
    }
}

extension ImageTransition.Edge {
    fileprivate func subtype(isRightToLeft: Bool) -> CATransitionSubtype {
        switch self {
        case .leading: isRightToLeft ? .fromRight : .fromLeft
        case .trailing: isRightToLeft ? .fromLeft : .fromRight
        case .top: .fromTop
        case .bottom: .fromBottom
        }
    }
}
#endif
