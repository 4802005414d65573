import CWebP
import EaselCore

/// Lossy WebP without alpha to a quarter of its size and less: libwebp decodes the planes, and Easel averages them.
///
/// libwebp's own scaling goes column by column, a quarter of the time that the whole takes. And the filter that smooths the
/// edges of its blocks is left out, as libwebp does where it scales: no prediction depends on it, and nobody sees it.
struct WebPThumbnail {
    private let picture: PlanarPicture
    private let block: PixelSize
    private let size: PixelSize

    /// The planes, of a byte and a half for each, are in memory: libwebp scales what is larger row by row.
    private static let mostPixels = 24_000_000

    /// `nil` for a picture that is not of this kind.
    ///
    /// - Parameters:
    ///   - data: the data of the frame alone, or its beginning.
    ///   - stored: the size that the picture has.
    ///   - size: the size that is asked for.
    /// - Throws: `ImageError.tooLarge` where it does not fit the machine.
    init?(_ data: UnsafeBufferPointer<UInt8>, stored: PixelSize, size: PixelSize) throws(ImageError) {
        // A difference of colour is there for every second pixel only, so that blocks start at those.
        let block = PixelSize(
            ResamplerBlocks.side(from: stored.width, to: size.width) & ~1,
            ResamplerBlocks.side(from: stored.height, to: size.height) & ~1)
        guard block.width > 0, block.height > 0, stored.width * stored.height <= Self.mostPixels,
            let features = WebPRaster.features(data), features.format == 1, features.has_alpha == 0,
            // The room is made for the container's size: the data may contradict it.
            PixelSize(Int(features.width), Int(features.height)) == stored
        else { return nil }
        picture = try PlanarPicture(stored)
        self.block = block
        self.size = size
    }

    /// Tells libwebp where the planes are, which stay there while this value lives.
    func configure(_ config: inout WebPDecoderConfig) {
        config.options.bypass_filtering = 1
        config.output.colorspace = MODE_YUV
        config.output.is_external_memory = 1
        var planes = WebPYUVABuffer()
        (planes.y, planes.y_stride, planes.y_size) = room(for: picture.luma)
        (planes.u, planes.u_stride, planes.u_size) = room(for: picture.blueDifference)
        (planes.v, planes.v_stride, planes.v_size) = room(for: picture.redDifference)
        config.output.u.YUVA = planes
    }

    private func room(for plane: PlanarPicture.Plane) -> (UnsafeMutablePointer<UInt8>?, Int32, Int) {
        let bytes = picture.bytes(of: plane)
        let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return (start, Int32(clamping: plane.bytesPerRow), bytes.count)
    }

    /// The first `rowCount` rows of the stored picture in the size that was asked for, over transparency.
    ///
    /// - Throws: `ImageError.cancelled`.
    func pixels(rowCount: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let extent = (
            width: Double(picture.size.width) / Double(block.width),
            height: Double(picture.size.height) / Double(block.height)
        )
        return try picture.averaged(block: block, rowCount: rowCount, isCancelled: isCancelled)
            .resized(to: size, extent: extent, isCancelled: isCancelled)
    }
}
