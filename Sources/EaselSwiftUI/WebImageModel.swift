import EaselApple
public import EaselCore
public import Observation

/// What a `WebImage` shows, and how it gets there: a target like any view, which SwiftUI watches. It knows nothing of SwiftUI.
@MainActor
@Observable
public final class WebImageModel: ImageTarget {
    /// How far the image is.
    public enum Phase: Sendable {
        /// There is nothing to show yet.
        case empty
        /// A placeholder, or a coarser image than the one to come.
        case preview(DecodedImage)
        /// The image, or the frame of an animation that is to be seen now.
        case success(DecodedImage)
        /// There is none, and why; with the error placeholder, where there is one.
        case failure(ImageError, DecodedImage?)
    }

    /// What is loaded, and how it is shown.
    public struct Source: Equatable, Sendable {
        /// The request; `nil` for no image.
        public var request: ImageRequest?
        /// Shown where the load fails with nothing to show.
        public var errorPlaceholder: Placeholder?
        /// What showing it does differently.
        public var options: TargetOptions = []

        /// The image of a request.
        public init(_ request: ImageRequest?) {
            self.request = request
        }
    }

    /// What happens to a load whose image can no longer be seen.
    public enum Departure: Sendable, Hashable {
        /// It is cancelled, and begins anew when the image is to be seen again.
        case cancels
        /// It becomes as urgent as a prefetch.
        case lowersPriority
    }

    /// How far the image is.
    public private(set) var phase = Phase.empty
    /// How much of the file has come: from 0 to 1, and 0 while the total is unknown.
    public private(set) var progress = 0.0
    /// The frame that is to be seen, counted from 0.
    public private(set) var frameIndex = 0
    /// Whether an animation plays, or would if it could be seen. It ends with the animation's last loop.
    public var isAnimating = true {
        didSet { imagePlayer.plays = isAnimating }
    }

    /// Pixels across and down of what will be seen, where that is known before there is an image.
    @ObservationIgnored public var pixelSize: PixelSize? {
        didSet { if pixelSize != oldValue { targetSizeDidChange() } }
    }
    /// What happens when the image can no longer be seen.
    @ObservationIgnored public var departure = Departure.cancels
    /// Makes a change so that it is seen as a transition, and calls `finish` when that has ended.
    @ObservationIgnored public var animate:
        @MainActor (_ transition: ImageTransition, _ change: () -> Void, _ finish: @escaping @MainActor () -> Void) ->
            Void =
            { _, change, finish in
                change()
                finish()
            }
    /// What is under way.
    @ObservationIgnored public let targetState = ImageTargetState()

    @ObservationIgnored private var source: Source?
    @ObservationIgnored private var manager: ImageManager?
    @ObservationIgnored private lazy var imagePlayer = makeImagePlayer()
    @ObservationIgnored private let ticker: AnimationTicker
    @ObservationIgnored private let frameStore: FrameStore
    @ObservationIgnored private var isVisible = false
    /// Whether the load has ended, well or not; a cancelled one has not.
    @ObservationIgnored private var hasEnded = false

    /// A model that has nothing to show.
    ///
    /// - Parameters:
    ///   - ticker: what wakes animations.
    ///   - frameStore: where their decoded frames are kept.
    public init(ticker: AnimationTicker = .shared, frameStore: FrameStore = .shared) {
        self.ticker = ticker
        self.frameStore = frameStore
    }

    private func makeImagePlayer() -> ImagePlayer {
        let imagePlayer = ImagePlayer(ticker: ticker, frameStore: frameStore) { [weak self] in self?.draw($0) }
        imagePlayer.onFinish = { [weak self] in self?.isAnimating = false }
        return imagePlayer
    }

    // MARK: - What the view says

    /// Loads an image, unless it is the one that is there or under way. While the view cannot be seen it waits for that.
    public func load(_ source: Source, manager: ImageManager) {
        guard source != self.source || manager !== self.manager else { return }
        self.source = source
        self.manager = manager
        hasEnded = false
        cancelImageLoads()
        if isVisible { begin() }
    }

    /// The image can be seen: it is loaded, and plays.
    public func appear() {
        isVisible = true
        targetDidAppear()
        imagePlayer.isVisible = true
        if !hasEnded, imageTask() == nil { begin() }
    }

    /// The image can no longer be seen.
    public func disappear() {
        isVisible = false
        imagePlayer.isVisible = false
        targetDidDisappear()
        if departure == .cancels { cancelImageLoads() }
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
            progress: { [weak self] in self?.progress = min(max($0.fraction, 0), 1) },
            completion: { [weak self] in self?.end($0) })
    }

    private func end(_ outcome: Result<ImageResponse, ImageError>) {
        switch outcome {
        case .success:
            progress = 1
        case .failure(.cancelled):
            // It begins anew, or another has begun already.
            return
        case .failure(let error):
            let placeholder: DecodedImage? = if case .preview(let image) = phase { image } else { nil }
            phase = .failure(error, placeholder)
        }
        hasEnded = true
    }

    // MARK: - What the target shows

    /// Shows an image as a phase.
    public func show(_ image: DecodedImage?, in slot: ImageSlot) {
        phase = image.map(phase(of:)) ?? .empty
        frameIndex = 0
        imagePlayer.show(image)
    }

    /// Shows an image as a phase, with what `animate` makes of the transition.
    public func show(
        _ image: DecodedImage, in slot: ImageSlot, with transition: ImageTransition,
        finish: @escaping @MainActor () -> Void
    ) {
        animate(transition, { show(image, in: slot) }, finish)
    }

    /// Another frame of the animation that is shown.
    private func draw(_ image: DecodedImage) {
        phase = phase(of: image)
        frameIndex = image.metadata.frameIndex
    }

    private func phase(of image: DecodedImage) -> Phase {
        image.metadata.isPlaceholder || image.metadata.isPartial ? .preview(image) : .success(image)
    }
}
