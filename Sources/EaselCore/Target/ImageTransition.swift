/// How a picture that was loaded takes the place of what was there (S044, X196).
public struct ImageTransition: Sendable {
    /// What is seen. A platform that has not got one of them fades.
    public enum Kind: Sendable {
        /// The picture is just there.
        case none
        /// It fades in over what was there.
        case fade
        /// It comes in over this edge.
        case slide(from: Edge)
        /// It grows out of the middle while it fades in.
        case zoom
        /// It is on the back of what was there, which turns around.
        case flip(from: Edge)
        /// It is on the next page.
        case curl(from: Edge)
        /// Whatever this does. It shows the picture itself, and has to call `Step.finish` once, also where it is
        /// interrupted.
        case custom(@MainActor @Sendable (Step) -> Void)
    }

    /// A side of the target.
    public enum Edge: Sendable, Hashable, CaseIterable {
        /// Where a line of text begins.
        case leading
        /// Where a line of text ends.
        case trailing
        /// Above.
        case top
        /// Below.
        case bottom
    }

    /// What a transition of one's own is given.
    @MainActor
    public struct Step {
        /// What shows the picture.
        public let target: any ImageTarget
        /// The picture.
        public let image: DecodedImage
        /// Where to show it.
        public let slot: ImageSlot
        /// How long it should take.
        public let duration: Duration
        /// Says that the transition has ended.
        public let finish: @MainActor () -> Void
        let check: @MainActor () -> Bool

        /// Whether the slot has not been set again meanwhile: to be asked before each further stage.
        public var isCurrent: Bool { check() }
    }

    /// What is seen.
    public var kind: Kind
    /// How long it takes: half a second, unless said otherwise.
    public var duration: Duration
    /// Pictures from elsewhere are shown without it, unless `TargetOptions.forceTransition` says otherwise: what is at hand should
    /// be there at once. By default it runs for pictures from a server.
    public var sources: Set<ImageSource>

    /// A transition of this kind.
    public init(
        _ kind: Kind, duration: Duration = .milliseconds(500), sources: Set<ImageSource> = [.network]
    ) {
        self.kind = kind
        self.duration = duration
        self.sources = sources
    }

    /// A cross-fade.
    public static let fade = ImageTransition(.fade)
    /// A cross-fade of this duration.
    public static func fade(duration: Duration) -> ImageTransition { ImageTransition(.fade, duration: duration) }
    /// The picture comes in over an edge.
    public static func slide(from edge: Edge, duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.slide(from: edge), duration: duration)
    }
    /// The picture grows out of the middle.
    public static func zoom(duration: Duration = .milliseconds(500)) -> ImageTransition {
        ImageTransition(.zoom, duration: duration)
    }

    /// Whether it runs for a picture from `source`.
    func runs(for source: ImageSource, isForced: Bool) -> Bool {
        if case .none = kind { return false }
        return isForced || sources.contains(source)
    }
}
