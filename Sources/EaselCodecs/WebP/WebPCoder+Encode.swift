import CWebP
public import EaselCore

public import EaselFoundation

extension WebPCoder: ImageEncoding {
    /// Writes lossy WebP in `options.quality`, with alpha where the picture has it; at a quality of 1, or where the options
    /// say so, lossless.
    ///
    /// The colours become sRGB: the file has no place for a profile as it is written here.
    ///
    /// - Throws: `ImageError.unsupported` for a side of more than 16,383 pixels, `.tooLarge` where it cannot be made small
    ///   enough.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: !options.isLosslessWebP) { (image, options) throws(ImageError) in
            try Self.write(image, options)
        }
    }

    private static func write(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try checkSize(image.size)
        let image = try image.inStandardColors()
        let pixels = try StraightPixels(image.pixels, .bgra)
        let width = Int32(image.size.width)
        let height = Int32(image.size.height)
        let stride = width * 4
        let start = pixels.memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var output: UnsafeMutablePointer<UInt8>?
        let count =
            options.isLosslessWebP
            ? WebPEncodeLosslessBGRA(start, width, height, stride, &output)
            : WebPEncodeBGRA(start, width, height, stride, options.webPQuality, &output)
        defer { WebPFree(output) }
        guard count > 0, let output else { throw .unsupported("The WebP cannot be written: there is no memory left.") }
        let file = Data(UnsafeBufferPointer(start: output, count: count))
        guard let kept = options.keptMetadata else { return file }
        return try insert(kept, into: file)
    }

    static func checkSize(_ size: PixelSize) throws(ImageError) {
        guard max(size.width, size.height) > Int(WEBP_MAX_DIMENSION) else { return }
        throw .unsupported(
            "A WebP has at most \(WEBP_MAX_DIMENSION) pixels a side; this picture has \(size). Scale it first.")
    }
}

extension EncodeOptions {
    var isLosslessWebP: Bool { isLossless || quality >= 1 }

    /// As libwebp counts.
    var webPQuality: Float { Float(min(max(quality, 0), 1) * 100) }
}
