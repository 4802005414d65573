#if TIFF
import CEaselTIFF
import EaselCore

extension TIFFSamples {
    /// Reads the picture once more, all of it, with its 16 bits.
    ///
    /// - Throws: `ImageError.badData`, `.tooLarge`, `.cancelled`.
    func deepPixels(
        _ reader: borrowing TIFFReader, size: PixelSize, isCancelled: () -> Bool
    ) throws(ImageError) -> DeepRaster {
        let raster = try DeepRaster(size)
        let isComplete = try reader.forEachRun(
            of: size, bytesPerPixel: byteCount, isCancelled: isCancelled, missing: { _ in }
        ) { source, x, y, width in
            let row = raster.row(y)
            expand(source, width: width, into: UnsafeMutableBufferPointer(rebasing: row[(x * 4)..<((x + width) * 4)]))
        }
        guard isComplete else { throw reader.failure }
        raster.finish(bits: 16, isPremultiplied: reader.fields.alpha == EASEL_TIFF_PREMULTIPLIED)
        return raster
    }

    /// Writes R, G, B, A as stored from samples of 16 bits.
    private func expand(_ row: UnsafeRawPointer, width: Int, into words: UnsafeMutableBufferPointer<UInt16>) {
        let mask: UInt16 = isInverted ? .max : 0
        for x in 0..<width {
            func sample(_ channel: Int) -> UInt16 {
                row.loadUnaligned(fromByteOffset: (x * channels + channel) * 2, as: UInt16.self)
            }
            let red = sample(0) ^ mask
            words[x * 4] = red
            words[x * 4 + 1] = isGray ? red : sample(1)
            words[x * 4 + 2] = isGray ? red : sample(2)
            words[x * 4 + 3] = alpha == EASEL_TIFF_OPAQUE ? .max : sample(channels - 1)
        }
    }
}
#endif
