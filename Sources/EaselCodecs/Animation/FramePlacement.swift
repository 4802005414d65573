import EaselCore

/// The placement of a frame on its canvas. GIF, animated PNG and WebP share these rules.
struct FramePlacement: Hashable {
    /// How the frame's rectangle changes before the next frame is drawn.
    enum Disposal: Hashable {
        /// Leaves the rectangle unchanged.
        case keep
        /// Makes the rectangle transparent.
        case clear
        /// Restores the content from before the frame.
        case restore
    }

    /// The rectangle that the frame covers, inside the canvas.
    var rectangle: PixelRectangle
    /// The disposal of the rectangle after the frame.
    var disposal: Disposal
    /// Whether the frame hides the canvas beneath it: it is opaque, or replaces the pixels instead of blending.
    var hidesCanvas: Bool
    /// Whether every pixel of the frame is opaque.
    var isOpaque: Bool
}

extension [FramePlacement] {
    /// Returns whether a canvas that starts transparent can be transparent after any frame. It cannot if the first
    /// frame covers it and no later frame clears it or replaces it with transparent pixels.
    func canBeTransparent(on canvas: PixelSize) -> Bool {
        guard let first, first.isOpaque, first.rectangle == .whole(canvas) else { return true }
        let disposals = dropLast()
        return disposals.contains { $0.disposal == .clear } || disposals.first?.disposal == .restore
            || contains { $0.hidesCanvas && !$0.isOpaque }
    }

    /// Returns the first frame that must be drawn to show frame `last`. All earlier frames are hidden or removed.
    func firstRequiredFrame(for last: Int, on canvas: PixelSize) -> Int {
        for index in stride(from: last, through: 0, by: -1) where self[index].rectangle == .whole(canvas) {
            if index < last, self[index].disposal == .clear { return index + 1 }
            if self[index].hidesCanvas, index == last || self[index].disposal == .keep { return index }
        }
        return 0
    }
}

/// The starting point for drawing a requested frame.
enum FrameRoute: Equatable {
    /// The current canvas; drawing continues after its frame.
    case current
    /// The cached canvas from before this frame.
    case cached(Int)
    /// A transparent canvas; this frame is drawn first.
    case clear(Int)

    /// Returns the route that draws the fewest frames.
    ///
    /// - Parameters:
    ///   - current: the frame on the canvas, `nil` if it is empty or incomplete.
    ///   - cached: the frames with a canvas cached before them.
    static func shortest(
        to target: Int, current: Int?, cached: some Sequence<Int>, placements: [FramePlacement], canvas: PixelSize
    ) -> FrameRoute {
        let first = placements.firstRequiredFrame(for: target, on: canvas)
        let nearest = cached.filter { $0 <= target && $0 > first }.max()
        if let current, current <= target, current + 1 >= nearest ?? first { return .current }
        return nearest.map(FrameRoute.cached) ?? .clear(first)
    }
}

/// The frames of a long animation before which canvases are cached, to shorten seeks.
struct CachedFrames: Equatable {
    /// The maximum number of cached canvases.
    static let maxCanvases = 4
    /// The highest frame count for which canvases are cached only after the first seek, not from the start.
    static let eagerCachingThreshold = 40
    /// The maximum size of all cached canvases, in bytes.
    static let maxByteCount = 64 << 20

    /// The number of frames between two cached canvases.
    let interval: Int
    private let count: Int

    init(frameCount: Int, canvasBytes: Int) {
        count = max(0, min(Self.maxCanvases, Self.maxByteCount / max(canvasBytes, 1)))
        interval = max(1, (frameCount + count) / (count + 1))
    }

    /// Returns whether the canvas before this frame is cached.
    func contains(_ frame: Int) -> Bool { frame > 0 && frame % interval == 0 && frame / interval <= count }
}

/// A rectangle in pixels, such as the part of a canvas that a frame covers.
struct PixelRectangle: Hashable {
    var x: Int
    var y: Int
    var size: PixelSize

    static func whole(_ size: PixelSize) -> PixelRectangle { PixelRectangle(x: 0, y: 0, size: size) }

    /// Returns the part inside a canvas of `canvas` pixels. Its size can be 0 x 0.
    func clipped(to canvas: PixelSize) -> PixelRectangle {
        let left = min(max(x, 0), canvas.width)
        let top = min(max(y, 0), canvas.height)
        let right = min(max(x + size.width, left), canvas.width)
        let bottom = min(max(y + size.height, top), canvas.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + size.width, other.x + other.size.width)
        let bottom = max(y + size.height, other.y + other.size.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    /// The top left pixel, for a frame without changes: formats have no empty frames.
    static let pixel = PixelRectangle(x: 0, y: 0, size: PixelSize(1, 1))
}

extension Duration {
    /// Returns the playback duration of a stored delay. A delay under 11 ms plays as 100 ms, as in browsers.
    static func playback(milliseconds: Int) -> Duration { .milliseconds(milliseconds < 11 ? 100 : milliseconds) }

    /// The duration in whole milliseconds, rounded.
    var milliseconds: Int { units(perSecond: 1000) }

    /// Returns the duration in units of `1 / count` seconds, rounded.
    func units(perSecond count: Int) -> Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * count + Int((Double(attoseconds) * 1e-18 * Double(count)).rounded())
    }
}

extension ImageHeader {
    /// Returns the header of an incomplete file, reduced to its complete frames; `nil` for fewer than two.
    func headerOfCompleteFrames(isLastFrameComplete: Bool) -> ImageHeader? {
        var header = self
        if !isLastFrameComplete, !header.frameDurations.isEmpty {
            header.frameCount -= 1
            header.frameDurations.removeLast()
        }
        return header.frameCount > 1 ? header : nil
    }
}
