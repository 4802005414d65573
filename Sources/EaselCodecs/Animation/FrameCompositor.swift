import EaselCore

/// What the frames of an animation are drawn from.
protocol FrameSource {
    /// What the file says of itself.
    var header: ImageHeader { get }
    /// How each frame stands on the canvas.
    var placements: [FramePlacement] { get }

    /// Draws one frame on what is there. Returns whether all of it was there.
    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool

    /// What the colors of frames in 16 bits mean; `nil`, as by default, where they have no more than 8.
    var deepColors: ColorDescription? { get }

    /// Draws one frame in 16 bits, where it has so many.
    func draw(_ frame: Int, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool) throws(ImageError)
}

extension FrameSource {
    var deepColors: ColorDescription? { nil }

    func draw(_ frame: Int, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool) throws(ImageError) {}
}

/// Composites the frames of an animation in any order.
///
/// The canvas stays as the last frame left it, so that the next one costs only itself. The result is the canvas itself: it
/// is copied when the next frame is drawn, and only if it is still referenced then. A few canvases are kept along the way: the
/// way to any other frame starts at the nearest of those, or at the last frame that hides all before it. Of a short animation
/// they are kept from the first way on that leads over several frames: most play in order, and fifty at a time have nowhere to
/// go back to.
final class FrameCompositor<Frames: FrameSource>: AnimationDecoder {
    let header: ImageHeader
    private let frames: Frames
    private let placements: [FramePlacement]
    private let options: DecodeOptions
    private let colors: ColorDescription?
    private var canvas: PixelBuffer
    /// The frame that the canvas shows; `nil` where it shows none, or part of one.
    private var shown: Int?
    /// What was under that frame, where it is to come back.
    private var covered: PixelBuffer?
    /// Made when a frame is asked for in 16 bits.
    private var deep: DeepCompositor?
    private let keptFrames: KeptFrames
    /// Canvases from before their frames.
    private var kept: [Int: PixelBuffer] = [:]
    private var keepsCanvases: Bool
    /// Whether some frame was not whole.
    private var isPartial: Bool

    /// Frames that have been drawn, for tests: the work that was done.
    private(set) var drawnCount = 0
    /// Canvases that are kept, for tests.
    var keptCount: Int { kept.count }

    /// - Parameter colors: what the colors of the frames are, or `nil` where drawing converts them. They are blended as the
    ///   file has them.
    /// - Throws: `ImageError.tooLarge` for what the limits forbid.
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
        // Its content is made when the first frame is.
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
        // What cannot be transparent need not be looked at, every pixel of every frame.
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
        // To the second frame from the first is in order still: that one is another decode's.
        if index - next > 1 { keepsCanvases = true }
        // Until the frame is drawn the canvas shows none: an error may leave it anyhow.
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

    /// What a frame that is not shown leaves behind: one that is taken away again need not be drawn.
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

    /// Writes on the canvas: on a copy of it where it has been given out, is kept, or is to come back.
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
    /// The canvas of an animation as it is shown with frame `last`: starting transparent, with every frame drawn that
    /// can still be seen.
    ///
    /// - Parameters:
    ///   - draw: decodes one frame and draws it on the canvas.
    /// - Throws: `ImageError.cancelled`, asked before each frame, and what `draw` throws.
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
                    // Drawn and taken away again: only a frame that is shown needs its pixels.
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
