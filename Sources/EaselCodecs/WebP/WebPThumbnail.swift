import CWebP
import EaselCore

/// Lossy WebP without alpha to a quarter of its size and less: libwebp decodes the planes, and Easel averages them.
///
/// libwebp's own scaling goes column by column, a quarter of the time that the whole takes. And the filter that smooths the
/// edges of its blocks is left out, as libwebp does where it scales: no prediction depends on it, and nobody sees it.
enum WebPThumbnail {
    /// The planes, of a byte and a half for each, are in memory: libwebp scales what is larger row by row.
    private static let mostPixels = 24_000_000

    /// - Parameters:
    ///   - data: the data of the frame alone.
    ///   - stored: the size that the picture has.
    /// - Returns: the pixels in `size`; `nil` for what is not of this kind, and for what ends early.
    /// - Throws: `ImageError.badData` for damaged data, `.cancelled`.
    static func pixels(
        _ data: UnsafeBufferPointer<UInt8>, stored: PixelSize, size: PixelSize, isCancelled: () -> Bool
    ) throws(ImageError) -> PixelBuffer? {
        // A difference of colour is there for every second pixel only, so that blocks start at those.
        let block = PixelSize(
            ResamplerBlocks.side(from: stored.width, to: size.width) & ~1,
            ResamplerBlocks.side(from: stored.height, to: size.height) & ~1)
        guard block.width > 0, block.height > 0, isLossyAndOpaque(data, stored),
            stored.width * stored.height <= mostPixels
        else { return nil }
        let picture = try PlanarPicture(stored)
        guard try decode(data, into: picture, isCancelled) else { return nil }
        let extent = (
            width: Double(stored.width) / Double(block.width), height: Double(stored.height) / Double(block.height)
        )
        return try picture.averaged(block: block, isCancelled: isCancelled)
            .resized(to: size, extent: extent, isCancelled: isCancelled)
    }

    /// Whether the data is such a picture, and has the size that room was made for.
    private static func isLossyAndOpaque(_ data: UnsafeBufferPointer<UInt8>, _ size: PixelSize) -> Bool {
        guard let features = WebPRaster.features(data) else { return false }
        return features.format == 1 && features.has_alpha == 0
            && PixelSize(Int(features.width), Int(features.height)) == size
    }

    /// Whether all of the picture has come.
    private static func decode(
        _ data: UnsafeBufferPointer<UInt8>, into picture: borrowing PlanarPicture, _ isCancelled: () -> Bool
    ) throws(ImageError) -> Bool {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfig(&config) != 0 else { return false }
        config.options.bypass_filtering = 1
        config.output.colorspace = MODE_YUV
        config.output.is_external_memory = 1
        var planes = WebPYUVABuffer()
        (planes.y, planes.y_stride, planes.y_size) = room(for: picture.luma, of: picture)
        (planes.u, planes.u_stride, planes.u_size) = room(for: picture.blueDifference, of: picture)
        (planes.v, planes.v_stride, planes.v_size) = room(for: picture.redDifference, of: picture)
        config.output.u.YUVA = planes
        return try WebPRaster.decode(data, &config, isCancelled) == picture.size.height
    }

    private static func room(
        for plane: PlanarPicture.Plane, of picture: borrowing PlanarPicture
    ) -> (UnsafeMutablePointer<UInt8>?, Int32, Int) {
        let bytes = picture.bytes(of: plane)
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return (start, Int32(clamping: plane.bytesPerRow), bytes.count)
    }
}
