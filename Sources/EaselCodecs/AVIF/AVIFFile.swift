#if AVIF
import CAVIF
import EaselCore

/// An AVIF opened with libavif. The boxes are read; frames are decompressed on demand.
final class AVIFFile {
    /// The header of the file. The size is that of the upright image.
    let header: ImageHeader
    /// The orientation of the frames that libavif returns.
    let orientation: ImageOrientation
    /// The color space of the frames.
    let colors: ColorDescription
    /// The gain map of a still image.
    private let gainMap: AVIFGainMap?

    private let decoder: UnsafeMutablePointer<avifDecoder>
    /// A copy that the decoder reads instead of the file.
    private let copy: OwnedBytes?
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameters:
    ///   - bytes: the file. It must outlive this object.
    ///   - limits: the limits for libavif and its decoder.
    /// - Throws: `ImageError.badData` if the data is not an AVIF, or is truncated in its boxes; `.tooLarge`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        guard let decoder = avifDecoderCreate() else { throw .outOfMemory }
        let limit = min(max(limits.pixels, 1), Self.largestLimit)
        Self.configure(decoder, pixelLimit: limit)
        let copy = AVIFTracks.removeUnsupportedTracks(from: bytes)
        let bytes = copy?.buffer ?? bytes
        let span = Span(_unsafeElements: bytes)
        guard avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count) == AVIF_RESULT_OK,
            avifDecoderParse(decoder) == AVIF_RESULT_OK, let image = decoder.pointee.image
        else {
            let reason = Self.reason(decoder)
            avifDecoderDestroy(decoder)
            try span.checkAnnouncedSizes(limit: limit)
            throw .badData("The AVIF header is damaged or truncated\(reason).")
        }
        self.decoder = decoder
        self.copy = copy
        self.bytes = bytes
        orientation = Self.orientation(of: image)
        let stored = PixelSize(Int(image.pointee.width), Int(image.pointee.height))
        var header = ImageHeader(
            format: .avif, storedSize: orientation.upright(stored),
            frameCount: max(1, Int(decoder.pointee.imageCount)), hasAlpha: decoder.pointee.alphaPresent != 0,
            bitDepth: Int(image.pointee.depth))
        let profile = image.pointee.icc
        if profile.size > 0, let start = profile.data {
            let bytes = UnsafeBufferPointer(start: start, count: profile.size)
            header.profileName = ICCProfileName.read(from: Span(_unsafeElements: bytes))
            colors = ICCProfile(bytes, for: .rgb).map(ColorDescription.profile) ?? .sRGB
        } else {
            colors = .codePoints(
                CodePoints(
                    primaries: Int(image.pointee.colorPrimaries), transfer: Int(image.pointee.transferCharacteristics)))
        }
        gainMap = header.frameCount == 1 ? AVIFGainMap(of: image) : nil
        header.gainMapHeadroom = gainMap?.parameters.headroom
        if header.frameCount > 1 {
            let timing = AVIFTrackTiming(span, frameCount: header.frameCount)
            header.frameDurations = timing.durations
            header.loopCount = timing.loopCount
        }
        self.header = header
    }

    deinit { avifDecoderDestroy(decoder) }

    /// Sets the options that all decoders have.
    static func configure(_ decoder: UnsafeMutablePointer<avifDecoder>, pixelLimit: Int) {
        decoder.pointee.maxThreads = 1
        decoder.pointee.imageSizeLimit = UInt32(min(max(pixelLimit, 1), largestLimit))
        decoder.pointee.imageDimensionLimit = 0
        // Some files, as of older libavif versions, lack mandatory properties that decoding does not need.
        decoder.pointee.strictFlags = AVIF_STRICT_DISABLED.rawValue
        // AVIF stores the orientation in its own boxes, not in EXIF.
        decoder.pointee.ignoreExif = 1
        decoder.pointee.ignoreXMP = 1
    }

    /// Decodes the gain map. Returns `nil` if there is none, or if it is not usable.
    ///
    /// - Parameter header: the header, before orientation.
    func storedGainMap(_ header: ImageHeader, _ options: DecodeOptions) throws(ImageError) -> StoredGainMap? {
        try gainMap?.decode(bytes, header, options)
    }

    /// Returns an existing frame, before the orientation is applied. The next frame costs only its own decoding, any
    /// other frame also that of the frames since the preceding key frame.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, `.cancelled`.
    func pixels(ofFrame index: Int, isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let number = UInt32(clamping: index)
        // Decodes frame by frame, to check for cancellation in between.
        if Int(decoder.pointee.imageIndex) != index {
            var next = Int(avifDecoderNearestKeyframe(decoder, number))
            let current = Int(decoder.pointee.imageIndex)
            if current >= next, current < index { next = current + 1 }
            while next <= index {
                if isCancelled() { throw .cancelled }
                guard avifDecoderNthImage(decoder, UInt32(clamping: next)) == AVIF_RESULT_OK else { throw damagedError }
                next += 1
            }
        }
        if isCancelled() { throw .cancelled }
        guard let image = decoder.pointee.image, image.pointee.width > 0 else { throw damagedError }
        // The size of the compressed frame can differ from that in the container.
        let size = PixelSize(Int(image.pointee.width), Int(image.pointee.height))
        guard orientation.upright(size) == header.storedSize else { throw damagedError }
        return try .draw(size, isOpaque: image.pointee.alphaPlane == nil) { (canvas) throws(ImageError) in
            var rows = avifRGBImage()
            avifRGBImageSetDefaults(&rows, image)
            rows.depth = 8
            rows.format = AVIF_RGB_FORMAT_BGRA
            rows.alphaPremultiplied = 1
            try Self.convert(image, &rows, to: canvas.bytes, bytesPerRow: canvas.bytesPerRow)
            if image.pointee.alphaPremultiplied != 0 { canvas.clampToAlpha() }
        }
    }

    /// Returns the last decoded frame, in 16 bits.
    ///
    /// - Throws: `ImageError.tooLarge`, `.unsupported`.
    func deepPixels() throws(ImageError) -> DeepRaster {
        guard let image = decoder.pointee.image else { throw damagedError }
        let raster = try DeepRaster(orientation.upright(header.storedSize))
        var rows = avifRGBImage()
        avifRGBImageSetDefaults(&rows, image)
        rows.depth = 16
        rows.format = AVIF_RGB_FORMAT_RGBA
        rows.alphaPremultiplied = 0
        try Self.convert(image, &rows, to: UnsafeMutableRawBufferPointer(raster.words), bytesPerRow: raster.bytesPerRow)
        return raster
    }

    /// Converts an image to the pixels that `rows` describes.
    static func convert(
        _ image: UnsafeMutablePointer<avifImage>, _ rows: inout avifRGBImage,
        to target: UnsafeMutableRawBufferPointer, bytesPerRow: Int
    ) throws(ImageError) {
        rows.pixels = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        rows.rowBytes = UInt32(clamping: bytesPerRow)
        guard avifImageYUVToRGB(image, &rows) == AVIF_RESULT_OK else {
            throw .unsupported("The AVIF color format is not supported.")
        }
    }

    private var damagedError: ImageError {
        .badData("The AVIF image is damaged or truncated\(Self.reason(decoder)).")
    }

    /// Returns libavif's last error, in parentheses.
    private static func reason(_ decoder: UnsafeMutablePointer<avifDecoder>) -> String {
        let text = withUnsafeBytes(of: &decoder.pointee.diag.error) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "" : " (\(text))"
    }

    /// Returns the orientation. Rotation is applied before mirroring (ISO/IEC 23000-22, 7.3.6.7).
    private static func orientation(of image: UnsafePointer<avifImage>) -> ImageOrientation {
        let flags = image.pointee.transformFlags
        let quarterTurns = flags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(image.pointee.irot.angle & 3) : 0
        guard flags & AVIF_TRANSFORM_IMIR.rawValue != 0 else { return [.up, .left, .down, .right][quarterTurns] }
        return easel_avif_swaps_left_and_right(image) != 0
            ? [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][quarterTurns]
            : [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored][quarterTurns]
    }

    private static let largestLimit = Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT)
}
#endif
