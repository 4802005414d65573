import EaselCore

/// A compositor of the frames of an animation in 16 bits, by the rules of `FrameCompositor`.
///
/// The canvas keeps the last frame, so the next frame costs only its own drawing. Any other frame starts at the last
/// frame that hides everything before it: no intermediate canvases are cached, because each takes twice the memory.
final class DeepCompositor {
    /// The canvas, with the file's colors. Alpha is straight, unlike on 8-bit canvases, so a frame that replaces the
    /// canvas keeps its exact values.
    let canvas: DeepRaster
    private let placements: [FramePlacement]
    /// The frame on the canvas; `nil` if the canvas is empty or incomplete.
    private var currentFrame: Int?
    /// The pixels under that frame, if its disposal restores them.
    private var covered: [UInt16] = []

    /// - Throws: `ImageError.tooLarge` if the size overflows.
    init(_ placements: [FramePlacement], size: PixelSize) throws(ImageError) {
        canvas = try DeepRaster(size)
        self.placements = placements
    }

    /// Composites all frames up to `index` on the canvas.
    ///
    /// - Parameter draw: decodes one frame and draws it.
    func show(
        _ index: Int, isCancelled: () -> Bool,
        draw: (_ frame: Int, borrowing DeepRaster) throws(ImageError) -> Void
    ) throws(ImageError) {
        if currentFrame == index { return }
        let first = begin(index)
        for frame in first...index {
            if isCancelled() { throw .cancelled }
            let placement = placements[frame]
            if frame == index, placement.disposal == .restore { covered = canvas.words(in: placement.rectangle) }
            // A frame that its disposal removes before the next one is skipped.
            if frame == index || placement.disposal == .keep {
                try draw(frame, canvas)
            } else if placement.disposal == .clear {
                canvas.clear(placement.rectangle)
            }
        }
        currentFrame = index
    }

    /// Returns the first frame to draw. Marks the canvas as incomplete, since drawing can throw.
    private func begin(_ index: Int) -> Int {
        let route = FrameRoute.shortest(
            to: index, current: currentFrame, cached: [], placements: placements, canvas: canvas.size)
        guard case .current = route, let last = currentFrame.take() else {
            currentFrame = nil
            canvas.clear(.whole(canvas.size))
            return placements.firstRequiredFrame(for: index, on: canvas.size)
        }
        switch placements[last].disposal {
        case .keep: break
        case .clear: canvas.clear(placements[last].rectangle)
        case .restore: canvas.restore(covered, in: placements[last].rectangle)
        }
        return last + 1
    }
}

extension DeepRaster {
    func clear(_ rectangle: PixelRectangle) {
        forEachRow(of: rectangle) { row, _ in row.update(repeating: 0) }
    }

    /// Returns the pixels of a rectangle, which must be inside the canvas.
    func words(in rectangle: PixelRectangle) -> [UInt16] {
        var words: [UInt16] = []
        words.reserveCapacity(rectangle.size.width * rectangle.size.height * 4)
        forEachRow(of: rectangle) { row, _ in words += row }
        return words
    }

    /// Restores pixels that `words(in:)` returned.
    func restore(_ words: [UInt16], in rectangle: PixelRectangle) {
        forEachRow(of: rectangle) { row, index in
            _ = row.update(fromContentsOf: words[(index * row.count)..<((index + 1) * row.count)])
        }
    }

    /// Draws a frame into a rectangle of the frame's size, which must be inside the canvas.
    func draw(_ frame: borrowing DeepRaster, in rectangle: PixelRectangle, over: Bool) {
        guard rectangle.size == frame.size, rectangle.clipped(to: size) == rectangle else { return }
        forEachRow(of: rectangle) { row, index in
            let source = frame.row(index)
            guard over else {
                _ = row.update(fromContentsOf: source)
                return
            }
            for index in stride(from: 0, to: row.count, by: 4) { Self.blend(source, over: row, at: index) }
        }
    }

    /// Blends one straight pixel over another. Each component is rounded once.
    @inline(__always)
    private static func blend(
        _ source: UnsafeMutableBufferPointer<UInt16>, over target: UnsafeMutableBufferPointer<UInt16>, at index: Int
    ) {
        let alpha = UInt64(source[index + 3])
        guard alpha > 0 else { return }
        // The weights of the two pixels. Their sum is 65,535 times the resulting alpha.
        let share = alpha * 65_535
        let remaining = UInt64(target[index + 3]) * (65_535 - alpha)
        for channel in index..<(index + 3) {
            let sum = UInt64(source[channel]) * share + UInt64(target[channel]) * remaining
            target[channel] = UInt16((sum + (share + remaining) / 2) / (share + remaining))
        }
        target[index + 3] = UInt16((share + remaining + 32_767) / 65_535)
    }

    private func forEachRow(
        of rectangle: PixelRectangle, _ body: (UnsafeMutableBufferPointer<UInt16>, _ index: Int) -> Void
    ) {
        let part = rectangle.clipped(to: size)
        for index in 0..<part.size.height {
            let row = row(part.y + index)
            body(UnsafeMutableBufferPointer(rebasing: row[(part.x * 4)..<((part.x + part.size.width) * 4)]), index)
        }
    }
}
