import EaselCore

/// Composites the frames of an animation in 16 bits, beside a `FrameCompositor`, by the same rules.
///
/// The canvas stays as the last frame left it, so that the next one costs only itself. Any other starts at the last frame that
/// hides all before it: no canvas is kept along the way, since each would take twice the memory.
final class DeepCompositor {
    private let canvas: DeepCanvas
    private let placements: [FramePlacement]
    /// The frame that the canvas shows; `nil` where it shows none, or part of one.
    private var shown: Int?
    /// What was under that frame, where it is to come back.
    private var covered: [UInt16] = []

    /// - Throws: `ImageError.tooLarge` where the size does not fit the machine.
    init(_ placements: [FramePlacement], size: PixelSize) throws(ImageError) {
        canvas = try DeepCanvas(size)
        self.placements = placements
    }

    /// Composites up to a frame.
    ///
    /// - Parameters:
    ///   - draw: decodes one frame and draws it.
    ///   - body: is given the canvas, straight as the file has its colors.
    func show<Result>(
        _ index: Int, isCancelled: () -> Bool,
        draw: (_ frame: Int, borrowing DeepCanvas) throws(ImageError) -> Void,
        _ body: (borrowing DeepRaster) throws(ImageError) -> Result
    ) throws(ImageError) -> Result {
        var next = begin(index)
        while next <= index {
            if isCancelled() { throw .cancelled }
            let placement = placements[next]
            if next == index || placement.disposal == .keep {
                covered =
                    next == index && placement.disposal == .restore ? canvas.words(in: placement.rectangle) : []
                try draw(next, canvas)
            } else if placement.disposal == .clear {
                // A frame that is taken away again need not be drawn.
                canvas.clear(placement.rectangle)
            }
            next += 1
        }
        shown = index
        return try body(canvas.raster)
    }

    /// Returns the first frame to draw. Until the last one is drawn the canvas shows none: an error may leave it anyhow.
    private func begin(_ index: Int) -> Int {
        let route = FrameRoute.shortest(
            to: index, shown: shown, kept: [], placements: placements, canvas: canvas.raster.size)
        let last = shown
        guard route == .shown, let last else {
            shown = nil
            canvas.clear(.whole(canvas.raster.size))
            return placements.firstNeeded(for: index, on: canvas.raster.size)
        }
        guard last < index else { return index + 1 }
        shown = nil
        switch placements[last].disposal {
        case .keep: break
        case .clear: canvas.clear(placements[last].rectangle)
        case .restore: canvas.put(covered, in: placements[last].rectangle)
        }
        return last + 1
    }
}

/// The pixels of an animation in 16 bits while its frames are drawn on them: straight R, G, B, A.
///
/// Straight, not premultiplied as those of 8 bits, so that a frame that replaces what was there keeps its bits.
struct DeepCanvas: ~Copyable {
    let raster: DeepRaster

    /// The content is undefined.
    init(_ size: PixelSize) throws(ImageError) {
        raster = try DeepRaster(size)
    }

    /// Makes a part transparent.
    func clear(_ rectangle: PixelRectangle) {
        forEachRow(of: rectangle) { row, _ in row.update(repeating: 0) }
    }

    /// The words of a part, which lies on the canvas.
    func words(in rectangle: PixelRectangle) -> [UInt16] {
        var words: [UInt16] = []
        words.reserveCapacity(rectangle.size.width * rectangle.size.height * 4)
        forEachRow(of: rectangle) { row, _ in words += row }
        return words
    }

    /// Puts back what `words(in:)` gave.
    func put(_ words: [UInt16], in rectangle: PixelRectangle) {
        forEachRow(of: rectangle) { row, index in
            _ = row.update(fromContentsOf: words[(index * row.count)..<((index + 1) * row.count)])
        }
    }

    /// Draws a frame in a rectangle of its size, which lies on the canvas.
    func draw(_ frame: borrowing DeepRaster, in rectangle: PixelRectangle, over: Bool) {
        guard rectangle.size == frame.size, rectangle.clipped(to: raster.size) == rectangle else { return }
        forEachRow(of: rectangle) { row, index in
            let source = frame.row(index)
            guard over else {
                _ = row.update(fromContentsOf: source)
                return
            }
            for place in stride(from: 0, to: row.count, by: 4) { Self.blend(source, over: row, at: place) }
        }
    }

    /// One pixel over another, both straight; each number is rounded once.
    @inline(__always)
    private static func blend(
        _ source: UnsafeMutableBufferPointer<UInt16>, over target: UnsafeMutableBufferPointer<UInt16>, at place: Int
    ) {
        let alpha = UInt64(source[place + 3])
        guard alpha > 0 else { return }
        // Shares of the two, whose sum is 65,535 times the alpha that comes of them.
        let share = alpha * 65_535
        let rest = UInt64(target[place + 3]) * (65_535 - alpha)
        for channel in place..<(place + 3) {
            let sum = UInt64(source[channel]) * share + UInt64(target[channel]) * rest
            target[channel] = UInt16((sum + (share + rest) / 2) / (share + rest))
        }
        target[place + 3] = UInt16((share + rest + 32_767) / 65_535)
    }

    private func forEachRow(
        of rectangle: PixelRectangle, _ body: (UnsafeMutableBufferPointer<UInt16>, _ index: Int) -> Void
    ) {
        let part = rectangle.clipped(to: raster.size)
        for index in 0..<part.size.height {
            let row = raster.row(part.y + index)
            body(UnsafeMutableBufferPointer(rebasing: row[(part.x * 4)..<((part.x + part.size.width) * 4)]), index)
        }
    }
}
