#if AVIF
import CAVIF
public import EaselCore

public import EaselFoundation

extension AVIFCoder: ImageEncoding {
    /// Writes AVIF in `options.quality`, with alpha where the image has it, of 8 bits, and of 10 where the image has deep
    /// pixels, HDR as PQ. From a quality of 0.9 on colors have the image's full resolution; at 1, or where the options say
    /// so, nothing is lost of 8 bits but what premultiplied colors have lost already.
    ///
    /// - Throws: `ImageError.unsupported` for an image that the AV1 encoder refuses, `.tooLarge` where it cannot be made small
    ///   enough.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: !options.isLossless) { (image, options) throws(ImageError) in
            try Self.encode(image, AVIFQuality(options.isLossless ? 1 : options.quality))
        }
    }

    private static func encode(_ image: DecodedImage, _ quality: AVIFQuality) throws(ImageError) -> Data {
        let isDeep = image.deepPixels != nil
        guard
            let coded = avifImageCreate(
                UInt32(clamping: image.size.width), UInt32(clamping: image.size.height), isDeep ? 10 : 8, quality.format
            )
        else { throw failure(AVIF_RESULT_OUT_OF_MEMORY) }
        defer { avifImageDestroy(coded) }
        let colors = CodePoints(image.deepPixels?.colors ?? .standard(image.metadata.colorSpace))
        coded.pointee.colorPrimaries = avifColorPrimaries(colors?.primaries ?? Int(AVIF_COLOR_PRIMARIES_BT709))
        coded.pointee.transferCharacteristics = avifTransferCharacteristics(
            colors?.transfer ?? Int(AVIF_TRANSFER_CHARACTERISTICS_SRGB))
        coded.pointee.matrixCoefficients = avifMatrixCoefficients(quality.matrix)
        coded.pointee.yuvRange = AVIF_RANGE_FULL
        try fill(coded, from: image)
        return try write(coded, quality)
    }

    private static func fill(_ coded: UnsafeMutablePointer<avifImage>, from image: DecodedImage) throws(ImageError) {
        var rows = avifRGBImage()
        avifRGBImageSetDefaults(&rows, coded)
        rows.alphaPremultiplied = 1
        rows.ignoreAlpha = image.pixels.isOpaque ? 1 : 0
        let result: avifResult
        if let deep = image.deepPixels {
            rows.format = AVIF_RGB_FORMAT_RGBA
            rows.depth = 16
            result = deep.withUnsafeBytes { convert($0, bytesPerRow: deep.bytesPerRow, &rows, to: coded) }
        } else {
            let pixels = image.pixels
            rows.format = AVIF_RGB_FORMAT_BGRA
            rows.depth = 8
            result = pixels.withUnsafeBytes { convert($0, bytesPerRow: pixels.bytesPerRow, &rows, to: coded) }
        }
        guard result == AVIF_RESULT_OK else { throw failure(result) }
    }

    private static func convert(
        _ bytes: UnsafeRawBufferPointer, bytesPerRow: Int, _ rows: inout avifRGBImage,
        to coded: UnsafeMutablePointer<avifImage>
    ) -> avifResult {
        // Only read, though libavif's type for both directions has no way to say so.
        rows.pixels = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        rows.rowBytes = UInt32(clamping: bytesPerRow)
        return avifImageRGBToYUV(coded, &rows)
    }

    private static func write(
        _ coded: UnsafeMutablePointer<avifImage>, _ quality: AVIFQuality
    ) throws(ImageError) -> Data {
        guard let encoder = avifEncoderCreate() else { throw failure(AVIF_RESULT_OUT_OF_MEMORY) }
        defer { avifEncoderDestroy(encoder) }
        encoder.pointee.maxThreads = 1
        encoder.pointee.speed = AVIFQuality.speed
        encoder.pointee.minQuantizer = quality.quantizer
        encoder.pointee.maxQuantizer = quality.quantizer
        encoder.pointee.minQuantizerAlpha = quality.alphaQuantizer
        encoder.pointee.maxQuantizerAlpha = quality.alphaQuantizer
        var output = avifRWData()
        defer { avifRWDataFree(&output) }
        let result = avifEncoderWrite(encoder, coded, &output)
        guard result == AVIF_RESULT_OK, let start = output.data else { throw failure(result) }
        return Data(UnsafeBufferPointer(start: start, count: output.size))
    }

    private static func failure(_ result: avifResult) -> ImageError {
        .unsupported("The AVIF cannot be written: \(String(cString: avifResultToString(result))).")
    }
}

/// A quality from 0 to 1 in AV1's terms.
struct AVIFQuality: Hashable {
    /// From 63, the worst, to 0.
    let quantizer: Int32
    /// Edges of transparency show more than noise in colors: they keep twice the quality.
    let alphaQuantizer: Int32
    let isLossless: Bool
    let hasFullColor: Bool

    init(_ quality: Double) {
        let quality = min(max(quality, 0), 1)
        quantizer = Int32(((1 - quality) * 63).rounded())
        alphaQuantizer = quantizer / 2
        isLossless = quality == 1
        hasFullColor = quality >= 0.9
    }

    var format: avifPixelFormat { hasFullColor ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420 }

    /// Without loss R, G and B stay as they are.
    var matrix: Int {
        isLossless ? Int(AVIF_MATRIX_COEFFICIENTS_IDENTITY) : Int(AVIF_MATRIX_COEFFICIENTS_BT601)
    }

    /// From 0, the slowest, to 10: beyond this one files grow faster than the time shrinks.
    static let speed: Int32 = 8
}
#endif
