import EaselCore

extension PNGRaster {
    /// The canvas as it is shown with frame `last`: all frames up to it are drawn, since any may stay visible.
    func composited(
        upTo last: Int, in bytes: Span<UInt8>, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        let size = file.header.size
        return try PixelBuffer(size: size, isOpaque: false) { (target, bytesPerRow) throws(ImageError) in
            guard let canvas = Canvas(target, bytesPerRow: bytesPerRow, size: size) else { return }
            canvas.clear(.whole(size))
            for (index, frame) in file.frames[firstNeeded(for: last)...last].enumerated() {
                if isCancelled() { throw .cancelled }
                let picture = try pixels(
                    of: frame.chunks, in: bytes, size: frame.rectangle.size, isCancelled: isCancelled)
                let isShown = index == last - firstNeeded(for: last)
                let saved = frame.disposal == .restore && !isShown ? canvas.copy(frame.rectangle) : []
                canvas.draw(picture, in: frame.rectangle, over: frame.blending == .over)
                if isShown { return }
                switch frame.disposal {
                case .keep: break
                case .clear: canvas.clear(frame.rectangle)
                case .restore: canvas.restore(frame.rectangle, saved)
                }
            }
        }
    }

    /// The nearest frame before `last` that hides whatever was there before it.
    private func firstNeeded(for last: Int) -> Int {
        file.frames[...last].lastIndex { frame in
            frame.rectangle == .whole(file.header.size) && frame.disposal != .restore
                && (frame.blending == .replace || !expander.hasAlpha)
        } ?? 0
    }
}
