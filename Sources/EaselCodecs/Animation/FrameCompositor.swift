import EaselCore

/// The frames of an animated file.
protocol FrameSource {
    var header: ImageHeader { get }
    var placements: [FramePlacement] { get }

    /// Draws one frame over the canvas. Returns whether the frame is complete.
    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool

    /// The color space of 16-bit frames; `nil`, the default, if frames have at most 8 bits per channel.
    var deepColors: ColorDescription? { get }

    /// Draws one 16-bit frame. Called only if `deepColors` is not `nil`.
    func draw(_ frame: Int, on canvas: borrowing DeepRaster, isCancelled: () -> Bool) throws(ImageError)
}

extension FrameSource {
    var deepColors: ColorDescription? { nil }

    func draw(_ frame: Int, on canvas: borrowing DeepRaster, isCancelled: () -> Bool) throws(ImageError) {}
}

/// A compositor of the frames of an animation in any order.
///
/// The canvas keeps the last frame, so the next frame costs only its own drawing. The result is the canvas itself,
/// which is copied before the next frame is drawn only if it is still referenced. A few intermediate canvases are
/// cached: a seek starts at the nearest of them, or at the last frame that hides everything before it. A short
/// animation caches canvases only after the first seek over several frames, because most animations play in order.
final class FrameCompositor<Frames: FrameSource>: AnimationDecoder {
    let header: ImageHeader
    private let frames: Frames
    private let placements: [FramePlacement]
    private let options: DecodeOptions
    private let colors: ColorDescription?
    private var canvas: PixelBuffer
    /// The frame on the canvas; `nil` if the canvas is empty or incomplete.
    private var currentFrame: Int?
    /// The pixels under that frame, if its disposal restores them.
    private var covered: PixelBuffer?
    private let isUsedOnce: Bool
    /// Created when the first 16-bit frame is requested.
    private var deep: DeepCompositor?
    private let cachedFrames: CachedFrames
    /// Cached canvases, each from before its frame is drawn.
    private var cachedCanvases: [Int: PixelBuffer] = [:]
    private var cachesCanvases: Bool
    /// Whether any frame is incomplete.
    private var isPartial: Bool

    /// The number of frames drawn so far, for tests.
    private(set) var drawnCount = 0
    /// The number of cached canvases, for tests.
    var cachedCanvasCount: Int { cachedCanvases.count }

    /// - Parameters:
    ///   - isPartial: whether the file is truncated.
    ///   - colors: the color space of the frames, or `nil` if drawing converts them. Frames are blended in this space.
    ///   - isUsedOnce: whether only one frame is requested, so that no canvases are cached or restored.
    /// - Throws: `ImageError.tooLarge` if the header exceeds the limits, `.badData` for a truncated file unless the
    ///   options allow it.
    init(
        _ frames: Frames, isPartial: Bool, colors: ColorDescription? = .sRGB, isUsedOnce: Bool = false,
        _ options: DecodeOptions
    ) throws(ImageError) {
        header = frames.header
        try options.limits.check(header)
        if isPartial, !options.allowsPartial { throw .truncated }
        self.frames = frames
        self.options = options
        self.colors = colors
        self.isPartial = isPartial
        self.isUsedOnce = isUsedOnce
        placements = frames.placements
        // The first frame initializes the content.
        canvas = try PixelBuffer(size: header.storedSize, isOpaque: false) { _, _ in }
        cachedFrames = CachedFrames(frameCount: placements.count, canvasBytes: isUsedOnce ? .max : canvas.byteCount)
        cachesCanvases = placements.count > CachedFrames.eagerCachingThreshold
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        if isCancelled() { throw .cancelled }
        var options = options
        options.frame = index
        try options.check(header)
        try show(index, isCancelled)
        if isPartial, !options.allowsPartial { throw .damaged }
        // An opaque animation skips the transparency scan of every frame.
        let image = try DecodedImage(
            stored: PixelBuffer(canvas, isOpaque: !header.hasAlpha && !isPartial), header: header, options: options,
            colors: colors, isPartial: isPartial)
        guard options.wantsDeepPixels(of: header), !isPartial, let deepColors = frames.deepColors else { return image }
        if deep == nil { deep = try DeepCompositor(placements, size: header.storedSize) }
        guard let deep else { return image }
        try deep.show(index, isCancelled: isCancelled) { (index, canvas) throws(ImageError) in
            try frames.draw(index, on: canvas, isCancelled: isCancelled)
        }
        return try image.withDeepPixels(deep.canvas, header: header, options: options, colors: deepColors)
    }

    private func show(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        if currentFrame == index { return }
        let route = FrameRoute.shortest(
            to: index, current: currentFrame, cached: cachedCanvases.keys, placements: placements, canvas: canvas.size)
        // The canvas is incomplete until the frame is drawn, since drawing can throw.
        let last = currentFrame.take() ?? 0
        var next: Int
        switch route {
        case .current:
            try dispose(of: last)
            next = last + 1
        case .cached(let frame):
            if let base = cachedCanvases[frame] { canvas = base }
            next = frame
        case .clear(let frame):
            try canvas.modify(keepsContent: false) { $0.clear(.whole($0.size)) }
            next = frame
        }
        // A step from the first frame to the second is not a seek: another decoder may have decoded the first.
        if index - next > 1 { cachesCanvases = true }
        while next < index {
            if isCancelled() { throw .cancelled }
            cacheCanvas(before: next)
            try skip(next, isCancelled)
            next += 1
        }
        if isCancelled() { throw .cancelled }
        cacheCanvas(before: index)
        covered = placements[index].disposal == .restore && !isUsedOnce ? canvas : nil
        try draw(index, isCancelled)
        currentFrame = index
    }

    /// Advances past a frame that is not shown. A frame that its disposal removes is not drawn.
    private func skip(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        switch placements[index].disposal {
        case .keep: try draw(index, isCancelled)
        case .clear: try canvas.modify { $0.clear(placements[index].rectangle) }
        case .restore: break
        }
    }

    private func draw(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        drawnCount += 1
        try canvas.modify { (canvas) throws(ImageError) in
            if try !frames.draw(index, on: canvas, isCancelled: isCancelled) { isPartial = true }
        }
    }

    private func dispose(of index: Int) throws(ImageError) {
        switch placements[index].disposal {
        case .keep: break
        case .clear: try canvas.modify { $0.clear(placements[index].rectangle) }
        case .restore: if let covered { canvas = covered }
        }
        covered = nil
    }

    private func cacheCanvas(before next: Int) {
        if cachesCanvases, cachedCanvases[next] == nil, cachedFrames.contains(next) { cachedCanvases[next] = canvas }
    }
}
