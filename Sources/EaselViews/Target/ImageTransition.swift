public import EaselCore

/// A transition from the shown image to a loaded one.
public struct ImageTransition: Sendable {
    /// The effect. A platform without one of them fades.
    public enum Kind: Sendable {
        /// No transition.
        case none
        /// The image fades in.
        case fade
        /// The image slides in over this edge.
        case slide(from: Edge)
        /// The image grows out of the middle while it fades in.
        case zoom
        /// The old image turns around, with the new one on its back.
        case flip(from: Edge)
        /// A page is turned.
        case curl(from: Edge)
        /// A closure that shows the image and calls `Step.finish` once, also if it is interrupted.
        case custom(@MainActor @Sendable (Step) -> Void)
    }

    /// A side of the target. Text runs from the leading to the trailing one.
    public enum Edge: Sendable, Hashable, CaseIterable {
        case leading, trailing, top, bottom
    }

    /// The arguments of a custom transition.
    @MainActor
    public struct Step {
        /// The target to show the image in.
        public let target: any ImageTarget
        /// The image.
        public let image: DecodedImage
        /// The slot to show it in.
        public let slot: ImageSlot
        /// Ends the transition.
        public let finish: @MainActor () -> Void
        let check: @MainActor () -> Bool

        /// Whether the slot still shows this load: check it before each further stage.
        public var isCurrent: Bool { check() }
    }

    /// The effect.
    public var kind: Kind
    /// The duration: half a second by default.
    public var duration: Duration
    /// The sources whose images it runs for: the network by default. `TargetOptions.forceTransition` runs it for all.
    public var sources: Set<ImageSource>

    /// Creates a transition.
    public init(_ kind: Kind, duration: Duration = .milliseconds(500), sources: Set<ImageSource> = [.network]) {
        self.kind = kind
        self.duration = duration
        self.sources = sources
    }

    /// A cross-fade.
    public static let fade = ImageTransition(.fade)
    /// Returns a cross-fade of this duration.
    public static func fade(duration: Duration) -> ImageTransition { ImageTransition(.fade, duration: duration) }

    /// Returns whether it runs for an image from `source`.
    func runs(for source: ImageSource, isForced: Bool) -> Bool {
        if case .none = kind { return false }
        return isForced || sources.contains(source)
    }
}
