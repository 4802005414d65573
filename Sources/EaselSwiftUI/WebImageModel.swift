import EaselApple
public import EaselCore
public import EaselViews
public import Observation

/// The state of a `WebImage`, which SwiftUI observes. Like any view it is an image target, but it is independent of
/// SwiftUI.
@MainActor
@Observable
public final class WebImageModel: ImageTarget {
    /// The phase of an image.
    public enum Phase: Sendable {
        /// There is nothing to show yet.
        case empty
        /// A placeholder, or an image of lower quality than the final one.
        case preview(DecodedImage)
        /// The image, or the current frame of an animation.
        case success(DecodedImage)
        /// The load failed. Includes the error placeholder, if there is one.
        case failure(ImageError, DecodedImage?)
    }

    /// The request and options of an image.
    public struct Source: Equatable, Sendable {
        /// The request, or `nil` for no image.
        public var request: ImageRequest?
        /// The placeholder if the load fails without an image.
        public var errorPlaceholder: Placeholder?
        /// The options for showing the image.
        public var options: TargetOptions = []

        /// Creates a source for a request.
        public init(_ request: ImageRequest?) { self.request = request }
    }

    /// What happens to a load when the image disappears.
    public enum DisappearanceBehavior: Sendable, Hashable {
        /// The load is cancelled, and starts again when the image reappears.
        case cancels
        /// The load gets the priority of a prefetch.
        case lowersPriority
    }

    /// The current phase.
    public private(set) var phase = Phase.empty
    /// The fraction of the file that was received, or 0 while the total is unknown.
    public private(set) var progress = 0.0
    /// The current frame of an animation, from 0.
    public private(set) var frameIndex = 0
    /// Whether the animation plays while visible. Becomes false after its last loop.
    public var isAnimating = true { didSet { imagePlayer.plays = isAnimating } }

    /// The size of the image's area in pixels, if it is known in advance.
    @ObservationIgnored public var pixelSize: PixelSize? {
        didSet { if pixelSize != oldValue { targetSizeDidChange() } }
    }
    /// What happens to the load when the image disappears.
    @ObservationIgnored public var disappearanceBehavior = DisappearanceBehavior.cancels
    /// Performs a change with a transition, and calls `finish` at its end.
    @ObservationIgnored public var animate:
        @MainActor (_ transition: ImageTransition, _ change: () -> Void, _ finish: @escaping @MainActor () -> Void) ->
            Void =
            { _, change, finish in
                change()
                finish()
            }
    /// The current loads.
    @ObservationIgnored public let targetState = ImageTargetState()

    @ObservationIgnored private var source: Source?
    @ObservationIgnored private var manager: ImageManager?
    @ObservationIgnored private lazy var imagePlayer = makeImagePlayer()
    @ObservationIgnored private let ticker: AnimationTicker
    @ObservationIgnored private let frameStore: FrameStore
    @ObservationIgnored private var isVisible = false
    /// Whether the load succeeded or failed. False after a cancellation.
    @ObservationIgnored private var hasEnded = false

    /// Creates a model without an image.
    public convenience init() { self.init(ticker: .shared) }

    /// - Parameters:
    ///   - ticker: The ticker that drives animations.
    ///   - frameStore: The cache of decoded frames.
    package init(ticker: AnimationTicker, frameStore: FrameStore = .shared) {
        self.ticker = ticker
        self.frameStore = frameStore
    }

    private func makeImagePlayer() -> ImagePlayer {
        let imagePlayer = ImagePlayer(ticker: ticker, frameStore: frameStore) { [weak self] in self?.draw($0) }
        imagePlayer.onFinish = { [weak self] in self?.isAnimating = false }
        return imagePlayer
    }

    // MARK: - Calls of the view

    /// Loads an image, unless it is the current one. Deferred until the view is visible.
    public func load(_ source: Source, manager: ImageManager) {
        guard source != self.source || manager !== self.manager else { return }
        self.source = source
        self.manager = manager
        hasEnded = false
        cancelImageLoads()
        if isVisible { begin() }
    }

    /// Starts loading and playing when the image becomes visible.
    public func appear() {
        isVisible = true
        targetDidAppear()
        imagePlayer.isVisible = true
        if !hasEnded, imageTask() == nil { begin() }
    }

    /// Stops playing, and cancels or deprioritizes the load.
    public func disappear() {
        isVisible = false
        imagePlayer.isVisible = false
        targetDidDisappear()
        if disappearanceBehavior == .cancels { cancelImageLoads() }
    }

    /// Shows another frame of an animation.
    public func seek(toFrame frame: Int) {
        if frame != frameIndex { imagePlayer.player?.seek(toFrame: frame) }
    }

    private func begin() {
        guard let source, let manager else { return }
        progress = 0
        guard let request = source.request else {
            hasEnded = true
            return show(nil, in: .image)
        }
        setImage(
            with: request, errorPlaceholder: source.errorPlaceholder, options: source.options, manager: manager,
            completion: { [weak self] in self?.end($0) },
            progress: { [weak self] in self?.progress = min(max($0.fraction, 0), 1) })
    }

    private func end(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success:
            progress = 1
        case .failure(let error) where error.code == .cancelled:
            // The load starts again, or another one has already started.
            return
        case .failure(let error):
            let placeholder: DecodedImage? = if case .preview(let image) = phase { image } else { nil }
            phase = .failure(error, placeholder)
        }
        hasEnded = true
    }

    // MARK: - ImageTarget

    /// Shows an image as a phase.
    public func show(_ image: DecodedImage?, in slot: ImageSlot) {
        phase = image.map(phase(of:)) ?? .empty
        frameIndex = 0
        imagePlayer.show(image)
    }

    /// Shows an image as a phase, with a transition by `animate`.
    public func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        animate(transition, { show(image, in: slot) }, finish)
    }

    private func draw(_ image: DecodedImage) {
        phase = phase(of: image)
        frameIndex = image.metadata.frameIndex
    }

    private func phase(of image: DecodedImage) -> Phase {
        image.metadata.isPlaceholder || image.metadata.isPartial ? .preview(image) : .success(image)
    }
}
