import EaselCore

/// The frames of an animated file.
protocol FrameSource {
    var header: ImageHeader { get }
    var placements: [FramePlacement] { get }

    /// Draws one frame over the canvas. Returns whether the frame is complete.
    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool

    /// The color space of 16-bit frames; `nil`, the default, if frames have at most 8 bits a channel.
    var deepColors: ColorDescription? { get }

    /// Draws one 16-bit frame. Called only if `deepColors` is not `nil`.
    func draw(_ frame: Int, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool) throws(ImageError)
}

extension FrameSource {
    var deepColors: ColorDescription? { nil }

    func draw(_ frame: Int, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool) throws(ImageError) {}
}

/// Composites the frames of an animation in any order.
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
    private var shown: Int?
    /// The pixels under that frame, if its disposal restores them.
    private var covered: PixelBuffer?
    /// Created when the first 16-bit frame is requested.
    private var deep: DeepCompositor?
    private let keptFrames: KeptFrames
    /// Cached canvases, each from before its frame is drawn.
    private var kept: [Int: PixelBuffer] = [:]
    private var keepsCanvases: Bool
    /// Whether any frame is incomplete.
    private var isPartial: Bool

    /// The number of frames drawn so far, for tests.
    private(set) var drawnCount = 0
    /// The number of cached canvases, for tests.
    var keptCount: Int { kept.count }

    /// - Parameter colors: the color space of the frames, or `nil` if drawing converts them. Frames are blended in this
    ///   space.
    /// - Throws: `ImageError.tooLarge` if the header exceeds the limits.
    init(_ frames: Frames, isPartial: Bool, colors: ColorDescription? = .sRGB, _ options: DecodeOptions)
        throws(ImageError)
    {
        try options.limits.check(frames.header)
        self.frames = frames
        self.options = options
        self.colors = colors
        self.isPartial = isPartial
        header = frames.header
        placements = frames.placements
        // The first frame initializes the content.
        canvas = try PixelBuffer(size: header.storedSize, isOpaque: false) { _, _ in }
        keptFrames = KeptFrames(frameCount: placements.count, canvasBytes: canvas.byteCount)
        keepsCanvases = placements.count > KeptFrames.shortWay
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        if isCancelled() { throw .cancelled }
        var options = options
        options.frame = index
        try options.check(header)
        try show(index, isCancelled)
        if isPartial, !options.allowsPartial { throw .badData("A frame of the animation is damaged or cut off.") }
        // An opaque animation skips the transparency scan of every frame.
        let image = try DecodedImage(
            stored: PixelBuffer(canvas, isOpaque: !header.hasAlpha && !isPartial), header: header, options: options,
            colors: colors, isPartial: isPartial)
        return try deepened(image, options, isCancelled)
    }

    private func deepened(
        _ image: DecodedImage, _ options: DecodeOptions, _ isCancelled: () -> Bool
    ) throws(ImageError) -> DecodedImage {
        guard options.wantsDeepPixels(of: header), !isPartial, let colors = frames.deepColors else { return image }
        if deep == nil { deep = try DeepCompositor(placements, size: header.storedSize) }
        guard let deep else { return image }
        return try deep.show(options.frame, isCancelled: isCancelled) { (index, canvas) throws(ImageError) in
            try frames.draw(index, on: canvas, isCancelled: isCancelled)
        } _: { (raster) throws(ImageError) in
            try image.withDeepPixels(raster, header: header, options: options, colors: colors)
        }
    }

    private func show(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        let route = FrameRoute.shortest(
            to: index, shown: shown, kept: kept.keys, placements: placements, canvas: canvas.size)
        var next: Int
        switch route {
        case .shown:
            guard let shown, shown < index else { return }
            self.shown = nil
            try dispose(of: shown)
            next = shown + 1
        case .kept(let frame):
            shown = nil
            if let base = kept[frame] { canvas = base }
            next = frame
        case .clear(let frame):
            shown = nil
            try change(keepsContent: false) { $0.clear(.whole($0.size)) }
            next = frame
        }
        // A step from the first frame to the second is not a seek: another decoder may have decoded the first.
        if index - next > 1 { keepsCanvases = true }
        // The canvas is incomplete until the frame is drawn, since drawing can throw.
        while next < index {
            if isCancelled() { throw .cancelled }
            keep(next)
            try pass(next, isCancelled)
            next += 1
        }
        if isCancelled() { throw .cancelled }
        keep(index)
        covered = placements[index].disposal == .restore ? canvas : nil
        try draw(index, isCancelled)
        shown = index
    }

    /// Advances past a frame that is not shown. A frame that its disposal removes is not drawn.
    private func pass(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        switch placements[index].disposal {
        case .keep: try draw(index, isCancelled)
        case .clear: try change { $0.clear(placements[index].rectangle) }
        case .restore: break
        }
    }

    private func draw(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        drawnCount += 1
        try change { (pixels) throws(ImageError) in
            if try !frames.draw(index, on: pixels, isCancelled: isCancelled) { isPartial = true }
        }
    }

    private func dispose(of index: Int) throws(ImageError) {
        switch placements[index].disposal {
        case .keep: break
        case .clear: try change { $0.clear(placements[index].rectangle) }
        case .restore: if let covered { canvas = covered }
        }
        covered = nil
    }

    private func keep(_ next: Int) {
        if keepsCanvases, kept[next] == nil, keptFrames.contains(next) { kept[next] = canvas }
    }

    /// Modifies the canvas, or a copy if the canvas is shared, cached, or needed for a restore.
    private func change(
        keepsContent: Bool = true, _ body: (Canvas) throws(ImageError) -> Void
    ) throws(ImageError) {
        let (size, bytesPerRow) = (canvas.size, canvas.bytesPerRow)
        try canvas.change(keepsContent: keepsContent) { (bytes) throws(ImageError) in
            guard let pixels = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            try body(pixels)
        }
    }
}

extension PixelBuffer {
    /// Returns the canvas after frame `last`. Starts transparent and draws only the frames that remain visible.
    ///
    /// - Parameters:
    ///   - draw: decodes one frame and draws it on the canvas.
    /// - Throws: `ImageError.cancelled`, checked before each frame, and the errors of `draw`.
    static func composited(
        _ frames: [FramePlacement], upTo last: Int, on size: PixelSize, isCancelled: () -> Bool,
        draw: (_ frame: Int, Canvas) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: false) { (bytes, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            canvas.clear(.whole(size))
            for index in frames.firstNeeded(for: last, on: size)..<last {
                if isCancelled() { throw .cancelled }
                let frame = frames[index]
                switch frame.disposal {
                case .keep:
                    try draw(index, canvas)
                case .clear:
                    // A frame that is cleared again needs no pixels unless it is the one shown.
                    canvas.clear(frame.rectangle)
                case .restore:
                    break
                }
            }
            if isCancelled() { throw .cancelled }
            try draw(last, canvas)
        }
    }
}
