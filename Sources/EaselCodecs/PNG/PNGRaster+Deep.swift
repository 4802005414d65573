import EaselCore

/// Samples of 16 bits, all of which are kept.
extension PNGRaster {
    /// What they mean.
    func deepColors(in bytes: Span<UInt8>) -> ColorDescription {
        file.colors.description(in: bytes, isGray: file.header.colorType.isGray)
    }

    /// Draws a frame of an animation.
    func draw(
        _ frame: PNGFrame, in bytes: Span<UInt8>, on canvas: borrowing DeepCanvas, isCancelled: () -> Bool
    ) throws(ImageError) {
        try draw(
            frame.chunks, in: bytes, on: canvas, frame.rectangle, over: !frame.replaces, isCancelled: isCancelled)
    }

    /// Draws the picture that the data of `chunks` holds.
    func draw(
        _ chunks: [PNGChunk], in bytes: Span<UInt8>, on canvas: borrowing DeepCanvas, _ place: PixelRectangle,
        over: Bool = false, isCancelled: () -> Bool
    ) throws(ImageError) {
        let deep = try DeepRaster(place.size)
        _ = try pixels(
            of: chunks, in: bytes, size: place.size,
            deep: DeepRows(words: deep.words, bytesPerRow: deep.bytesPerRow), isCancelled: isCancelled)
        canvas.draw(deep, in: place, over: over)
    }
}
