import EaselCore

/// What the frames of an animation are drawn from.
protocol FrameSource {
    /// What the file says of itself.
    var header: ImageHeader { get }
    /// How each frame stands on the canvas.
    var placements: [FramePlacement] { get }

    /// Draws one frame on what is there. Returns whether all of it was there.
    func draw(_ frame: Int, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool
}

/// Composites the frames of an animation in any order.
///
/// The canvas stays as the last frame left it, so that the next one costs only itself. A few canvases are kept along the
/// way: the way to any other frame starts at the nearest of those, or at the last frame that hides all before it.
final class FrameCompositor<Frames: FrameSource>: AnimationDecoder {
    let header: ImageHeader
    private let frames: Frames
    private let placements: [FramePlacement]
    private let options: DecodeOptions
    private let colors: ColorDescription?
    private let canvas: ArrivingCanvas
    /// The frame that the canvas shows; `nil` where it shows none, or part of one.
    private var shown: Int?
    /// What was under that frame, where it is to come back.
    private var covered: PixelBuffer?
    private let keptFrames: KeptFrames
    /// Canvases from before their frames.
    private var kept: [Int: PixelBuffer] = [:]
    /// Whether some frame was not whole.
    private var isPartial: Bool

    /// Frames that have been drawn, for tests: the work that was done.
    private(set) var drawnCount = 0
    /// Canvases that are kept, for tests.
    var keptCount: Int { kept.count }

    /// - Parameter colors: what the colours of the frames are, or `nil` where drawing converts them. They are blended as the
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
        canvas = try ArrivingCanvas(header.storedSize)
        keptFrames = KeptFrames(frameCount: placements.count, canvasBytes: canvas.bytes.count)
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        if isCancelled() { throw .cancelled }
        var options = options
        options.frame = index
        try options.check(header)
        try show(index, isCancelled)
        if isPartial, !options.allowsPartial { throw .badData("A frame of the animation is damaged or cut off.") }
        // What cannot be transparent need not be looked at, every pixel of every frame.
        return try DecodedImage(
            stored: copy(isOpaque: !header.hasAlpha && !isPartial), header: header, options: options, colors: colors,
            isPartial: isPartial)
    }

    private func show(_ index: Int, _ isCancelled: () -> Bool) throws(ImageError) {
        let size = canvas.size
        guard let pixels = Canvas(canvas.bytes, bytesPerRow: canvas.bytesPerRow, size: size) else { return }
        let route = FrameRoute.shortest(
            to: index, shown: shown, kept: kept.keys, placements: placements, canvas: size)
        var next: Int
        switch route {
        case .shown:
            guard let shown, shown < index else { return }
            self.shown = nil
            dispose(of: shown, on: pixels)
            next = shown + 1
        case .kept(let frame):
            shown = nil
            if let base = kept[frame] { pixels.draw(base, in: .whole(size), over: false) }
            next = frame
        case .clear(let frame):
            shown = nil
            pixels.clear(.whole(size))
            next = frame
        }
        // Until the frame is drawn the canvas shows none: an error may leave it anyhow.
        while next < index {
            if isCancelled() { throw .cancelled }
            try keep(next)
            try pass(next, on: pixels, isCancelled)
            next += 1
        }
        if isCancelled() { throw .cancelled }
        try keep(index)
        covered = placements[index].disposal == .restore ? try copy() : nil
        try draw(index, on: pixels, isCancelled)
        shown = index
    }

    /// What a frame that is not shown leaves behind: one that is taken away again need not be drawn.
    private func pass(_ index: Int, on pixels: Canvas, _ isCancelled: () -> Bool) throws(ImageError) {
        switch placements[index].disposal {
        case .keep: try draw(index, on: pixels, isCancelled)
        case .clear: pixels.clear(placements[index].rectangle)
        case .restore: break
        }
    }

    private func draw(_ index: Int, on pixels: Canvas, _ isCancelled: () -> Bool) throws(ImageError) {
        drawnCount += 1
        if try !frames.draw(index, on: pixels, isCancelled: isCancelled) { isPartial = true }
    }

    private func dispose(of index: Int, on pixels: Canvas) {
        switch placements[index].disposal {
        case .keep: break
        case .clear: pixels.clear(placements[index].rectangle)
        case .restore:
            if let covered { pixels.draw(covered, in: .whole(canvas.size), over: false) }
        }
        covered = nil
    }

    private func keep(_ next: Int) throws(ImageError) {
        guard kept[next] == nil, keptFrames.contains(next) else { return }
        kept[next] = try copy()
    }

    private func copy(isOpaque: Bool = false) throws(ImageError) -> PixelBuffer {
        try canvas.pixels(rowCount: canvas.size.height, isOpaque: isOpaque)
    }
}
