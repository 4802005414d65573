import EaselCore

/// Decides what is stored of each frame of an animation whose pixels are opaque or clear, in a format that can draw over what
/// was there but cannot make it clear again, except by taking the frame before away.
///
/// So a frame is given out when the next one is known: where that one is clear and this one is not, this one's rectangle is
/// taken away afterwards.
struct GIFFrameSequence {
    /// A frame as it is to be stored.
    struct Step {
        var pixels: PixelBuffer
        /// What is on the canvas when it is drawn; `nil` for an empty one.
        var base: PixelBuffer?
        var rectangle: PixelRectangle
        var duration: Duration
        /// Whether the rectangle becomes clear afterwards.
        var isCleared = false
    }

    private var waiting: Step?

    /// Takes the next frame, and gives out the one before it.
    mutating func append(_ pixels: PixelBuffer, _ duration: Duration) throws(ImageError) -> Step? {
        guard var step = waiting else {
            waiting = Step(pixels: pixels, base: nil, rectangle: .whole(pixels.size), duration: duration)
            return nil
        }
        var canvas = step.pixels
        // Opaque now, and clear then.
        if let gone = step.pixels.area(comparedWith: pixels, where: { $0 != 0 && $1 == 0 }) {
            step.rectangle = step.rectangle.union(gone)
            step.isCleared = true
            canvas = try canvas.clearing(step.rectangle)
        }
        let rectangle = pixels.area(comparedWith: canvas, where: !=) ?? .pixel
        waiting = Step(pixels: pixels, base: canvas, rectangle: rectangle, duration: duration)
        return step
    }

    /// The last frame.
    mutating func finish() -> Step? {
        defer { waiting = nil }
        return waiting
    }
}

extension PixelBuffer {
    /// The picture with a part of it clear.
    fileprivate func clearing(_ rectangle: PixelRectangle) throws(ImageError) -> PixelBuffer {
        try PixelBuffer(size: size, isOpaque: false) { bytes, bytesPerRow in
            guard let canvas = Canvas(bytes, bytesPerRow: bytesPerRow, size: size) else { return }
            canvas.draw(self, in: .whole(size), over: false)
            canvas.clear(rectangle)
        }
    }
}
