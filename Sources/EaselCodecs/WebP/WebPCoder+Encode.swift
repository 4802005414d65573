import CWebP
public import EaselCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension WebPCoder: ImageEncoding {
    /// Writes lossy WebP in `options.quality`, with alpha where the picture has it; at a quality of 1, lossless.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        guard max(image.size.width, image.size.height) <= Int(WEBP_MAX_DIMENSION) else {
            throw .unsupported(
                "A WebP has at most \(WEBP_MAX_DIMENSION) pixels a side; this picture has \(image.size). Scale it first."
            )
        }
        let quality = Float(min(max(options.quality, 0), 1) * 100)
        let pixels = try StraightPixels(image.pixels, .bgra)
        let width = Int32(image.size.width)
        let height = Int32(image.size.height)
        let stride = width * 4
        let start = pixels.memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var output: UnsafeMutablePointer<UInt8>?
        let count =
            quality == 100
            ? WebPEncodeLosslessBGRA(start, width, height, stride, &output)
            : WebPEncodeBGRA(start, width, height, stride, quality, &output)
        defer { WebPFree(output) }
        guard count > 0, let output else { throw .unsupported("The WebP cannot be written: there is no memory left.") }
        return Data(UnsafeBufferPointer(start: output, count: count))
    }
}
