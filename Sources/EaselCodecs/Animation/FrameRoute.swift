import EaselCore

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
