import EaselCore

/// How a frame of an animation stands on its canvas: the same few rules in GIF, animated PNG and WebP.
struct FramePlacement: Hashable {
    /// What happens to the frame's part of the canvas before the next frame is drawn.
    enum Disposal: Hashable {
        /// It stays.
        case keep
        /// It becomes transparent.
        case clear
        /// It becomes what it was before the frame.
        case restore
    }

    /// The part of the canvas that the frame draws on; it lies inside.
    var rectangle: PixelRectangle
    /// What happens to that part afterwards.
    var disposal: Disposal
    /// Whether nothing of the canvas shows through the frame: it has no transparency, or replaces what was there.
    var hidesCanvas: Bool
    /// Whether no pixel of the frame itself can be transparent.
    var isOpaque: Bool
}

extension [FramePlacement] {
    /// Whether a canvas that starts transparent can be so after any frame. It cannot where the first frame covers it
    /// and nothing is taken away or replaced by something transparent.
    func canBeTransparent(on canvas: PixelSize) -> Bool {
        guard let first, first.isOpaque, first.rectangle == .whole(canvas) else { return true }
        let disposals = dropLast()
        return disposals.contains { $0.disposal == .clear } || disposals.first?.disposal == .restore
            || contains { $0.hidesCanvas && !$0.isOpaque }
    }

    /// The frame to start from so that the canvas is right at `last`: everything before it is hidden or gone.
    func firstNeeded(for last: Int, on canvas: PixelSize) -> Int {
        for index in stride(from: last, through: 0, by: -1) where self[index].rectangle == .whole(canvas) {
            if index < last, self[index].disposal == .clear { return index + 1 }
            if self[index].hidesCanvas, index == last || self[index].disposal == .keep { return index }
        }
        return 0
    }
}

/// From where the frames are drawn that lead to the one asked for.
enum FrameRoute: Equatable {
    /// From the canvas as it is shown: what follows its frame is drawn.
    case shown
    /// From the canvas that was kept from before this frame.
    case kept(Int)
    /// From a transparent canvas, on which this frame is drawn first.
    case clear(Int)

    /// The way with the fewest frames to draw.
    ///
    /// - Parameters:
    ///   - shown: the frame that the canvas shows, `nil` where it shows none.
    ///   - kept: the frames from before which canvases were kept.
    static func shortest(
        to target: Int, shown: Int?, kept: some Sequence<Int>, placements: [FramePlacement], canvas: PixelSize
    ) -> FrameRoute {
        let first = placements.firstNeeded(for: target, on: canvas)
        let nearest = kept.filter { $0 <= target && $0 > first }.max()
        if let shown, shown <= target, shown + 1 >= nearest ?? first { return .shown }
        return nearest.map(FrameRoute.kept) ?? .clear(first)
    }
}

/// The places of a long animation at which canvases are kept, so that no frame is far behind one.
struct KeptFrames: Equatable {
    /// Canvases that are kept at most.
    static let mostCanvases = 4
    /// So many frames may lie before one that is gone back to for the first time: of an animation with more, canvases are kept
    /// from the start.
    static let shortWay = 40
    /// Bytes that they take at most.
    static let mostBytes = 64 << 20

    /// Frames between two that are kept.
    let interval: Int
    private let count: Int

    init(frameCount: Int, canvasBytes: Int) {
        count = max(0, min(Self.mostCanvases, Self.mostBytes / max(canvasBytes, 1)))
        interval = max(1, (frameCount + count) / (count + 1))
    }

    /// Whether the canvas from before this frame is kept.
    func contains(_ frame: Int) -> Bool {
        frame > 0 && frame % interval == 0 && frame / interval <= count
    }
}

/// The part of an animation's canvas that a frame draws on.
struct PixelRectangle: Hashable {
    var x: Int
    var y: Int
    var size: PixelSize

    /// The whole of a canvas.
    static func whole(_ size: PixelSize) -> PixelRectangle {
        PixelRectangle(x: 0, y: 0, size: size)
    }

    /// The part that lies on a canvas of `canvas` pixels; its size may be 0 x 0.
    func clipped(to canvas: PixelSize) -> PixelRectangle {
        let left = min(max(x, 0), canvas.width)
        let top = min(max(y, 0), canvas.height)
        let right = min(max(x + size.width, left), canvas.width)
        let bottom = min(max(y + size.height, top), canvas.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    /// The smallest rectangle that holds both.
    func union(_ other: PixelRectangle) -> PixelRectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + size.width, other.x + other.size.width)
        let bottom = max(y + size.height, other.y + other.size.height)
        return PixelRectangle(x: left, y: top, size: PixelSize(right - left, bottom - top))
    }

    /// A single pixel in the corner, for a frame that changes nothing: formats have no empty ones.
    static let pixel = PixelRectangle(x: 0, y: 0, size: PixelSize(1, 1))
}

/// How long a frame of an animation is played, which is not always what its file says.
enum FrameTiming {
    /// A stored delay as it is played: one under 11 ms, which was never honoured by the browsers that files were made
    /// for, is 100 ms.
    static func played(milliseconds: Int) -> Duration {
        .milliseconds(milliseconds < 11 ? 100 : milliseconds)
    }
}

extension Duration {
    /// In whole milliseconds, rounded.
    var milliseconds: Int { units(perSecond: 1000) }

    /// In units of which a second has so many, rounded.
    func units(perSecond count: Int) -> Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * count + Int((Double(attoseconds) * 1e-18 * Double(count)).rounded())
    }
}

extension ImageHeader {
    /// The header of a file that is arriving, with the frames alone that have come whole; `nil` for less than two.
    func beginning(isLastFrameWhole: Bool) -> ImageHeader? {
        var header = self
        if !isLastFrameWhole, !header.frameDurations.isEmpty {
            header.frameCount -= 1
            header.frameDurations.removeLast()
        }
        return header.frameCount > 1 ? header : nil
    }
}
