#if AVIF
import CAVIF
public import EaselCore
public import EaselFoundation

/// A coder that reads still and animated AVIF of 8, 10 and 12 bits, and writes still AVIF, through libavif.
///
/// Applies the rotation and mirroring of the container. Ignores the EXIF orientation, which repeats them.
public struct AVIFCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `avif` format.
    public var format: ImageFormat { .avif }

    /// Reads the boxes. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not an AVIF, or is truncated in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try AVIFFile.header(of: data)
    }

    /// Decodes the image, or one composited frame of an animation.
    ///
    /// AV1 decodes only complete images, so a truncated file throws even with `allowsPartial`. After cancellation, the
    /// decoding of a large still image finishes on a separate thread, since it cannot be interrupted.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try AVIFFile.decode(data, options)
    }
}

extension AVIFFile: LibraryFile {
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try pixels(ofFrame: options.frame, isCancelled: options.isCancelled)
        // The image is rotated after scaling, by the code that applies EXIF orientations.
        var stored = header
        stored.orientation = orientation
        stored.storedSize = orientation.upright(header.storedSize)
        var image: DecodedImage
        if options.wantsGainMap, let map = try storedGainMap(stored, options) {
            image = try DecodedImage(
                stored: pixels, gainMap: map, header: stored, options: options, colors: colors,
                deep: header.bitDepth > 8 ? { () throws(ImageError) in try self.deepPixels() } : nil)
        } else {
            image = try DecodedImage(stored: pixels, header: stored, options: options, colors: colors)
            if options.wantsDeepPixels(of: header) {
                image = try image.withDeepPixels(deepPixels(), header: stored, options: options, colors: colors)
            }
        }
        image.metadata.header = header
        return image
    }
}

extension AVIFCoder: AnimationDecoding {
    /// Creates a decoder for the frames of the file. It keeps a copy of the file and the reference frames of AV1.
    ///
    /// - Throws: `ImageError.badData` if the data is not an AVIF, `.tooLarge`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<AVIFFile>(data, options)
    }
}

extension AVIFCoder: ImageEncoding {
    /// Writes AVIF of `options.quality`, with alpha if the image has it: 8 bits, or 10 bits for deep pixels, with HDR
    /// as PQ. By default, a quality of 0.9 and above keeps colors at full resolution. A quality of 1, or the lossless option,
    /// stores 8-bit pixels exactly, except for the loss through premultiplication.
    ///
    /// - Throws: `ImageError.unsupported` for an image that the AV1 encoder rejects, `.tooLarge` if the file cannot
    ///   meet the byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: !options.isLossless) { (image, options) throws(ImageError) in
            try Self.encode(image, AVIFQuality(options))
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
        // libavif uses one mutable type for reading and writing. The pixels are only read.
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
        encoder.pointee.speed = quality.speed
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
        .unsupported("The AVIF encoder failed: \(String(cString: avifResultToString(result))).")
    }
}

/// A quality from 0 to 1 as AV1 parameters.
struct AVIFQuality: Hashable {
    /// The quantizer, from 63, the worst, to 0.
    let quantizer: Int32
    /// The quantizer of alpha, for twice the quality: edges of transparency are more visible than noise in colors.
    let alphaQuantizer: Int32
    let isLossless: Bool
    private let chroma: ChromaSubsampling
    /// The encoder speed, from 0, the slowest, to 10. Above 8, files grow faster than the time shrinks.
    let speed: Int32

    init(_ options: EncodeOptions) {
        let quality = options.isLossless ? 1 : min(max(options.quality, 0), 1)
        quantizer = Int32(((1 - quality) * 63).rounded())
        alphaQuantizer = quantizer / 2
        isLossless = quality == 1
        let standard: ChromaSubsampling = quality >= 0.9 ? .full : .quarter
        // The identity matrix of lossless images has no colors at another resolution.
        chroma = isLossless ? .full : options.chromaSubsampling ?? standard
        speed = options.value(forEffort: [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], standard: 8)
    }

    var format: avifPixelFormat {
        switch chroma {
        case .full: AVIF_PIXEL_FORMAT_YUV444
        case .half: AVIF_PIXEL_FORMAT_YUV422
        case .quarter: AVIF_PIXEL_FORMAT_YUV420
        }
    }

    /// Lossless images use the identity matrix.
    var matrix: Int { isLossless ? Int(AVIF_MATRIX_COEFFICIENTS_IDENTITY) : Int(AVIF_MATRIX_COEFFICIENTS_BT601) }
}
#endif
