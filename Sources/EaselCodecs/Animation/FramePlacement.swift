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
