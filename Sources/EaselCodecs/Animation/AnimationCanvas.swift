import EaselCore

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
