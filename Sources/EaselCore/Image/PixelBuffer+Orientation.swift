extension PixelBuffer {
    /// The stored picture turned upright. What is upright already is returned as it is.
    ///
    /// - Parameter isCancelled: asked every 64 rows.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the machine has no room for another picture.
    package func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer {
        guard orientation != .up else { return self }
        let turned = orientation.upright(size)
        return try PixelBuffer(size: turned, isOpaque: isOpaque) { (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = PixelRows(source, bytesPerRow: bytesPerRow, size: size)
                let to = PixelRows(UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turned)
                if let from, let to { try from.turn(upright: to, from: orientation, isCancelled: isCancelled) }
            }
        }
    }
}

extension DeepPixelBuffer {
    /// The same for pixels of 16 bits a channel.
    package func upright(
        from orientation: ImageOrientation, isCancelled: () -> Bool
    ) throws(ImageError) -> DeepPixelBuffer {
        guard orientation != .up else { return self }
        let turned = orientation.upright(size)
        return try DeepPixelBuffer(size: turned, isOpaque: isOpaque, colors: colors) {
            (target, targetBytesPerRow) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                let from = PixelRows(
                    source, bytesPerRow: bytesPerRow, size: size, bytesPerPixel: PixelRows.deepByteCount)
                let to = PixelRows(
                    UnsafeRawBufferPointer(target), bytesPerRow: targetBytesPerRow, size: turned,
                    bytesPerPixel: PixelRows.deepByteCount)
                if let from, let to { try from.turn(upright: to, from: orientation, isCancelled: isCancelled) }
            }
        }
    }
}
