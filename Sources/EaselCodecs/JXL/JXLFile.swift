#if JXL
import CJXL
import EaselCore

/// A JPEG XL opened with libjxl. Frames are decompressed on demand, with memory independent of their number.
final class JXLFile: LibraryFile {
    /// The header of the file. libjxl applies the orientation.
    let header: ImageHeader
    /// Whether the file of an animation ends before its last frame does.
    let isCutOff: Bool

    private let bytes: UnsafeBufferPointer<UInt8>
    private let basics: JXLBasics
    private let frames: JXLFrames
    /// The frames in 16 bits, created on demand. A separate decoder, so that both depths advance frame by frame.
    private var deepFrames: JXLFrames?

    /// - Parameters:
    ///   - bytes: the file. It must outlive this object.
    ///   - limits: at most one frame beyond these limits is read.
    /// - Throws: `ImageError.badData` if the data is not a JPEG XL, or is truncated in its header, `.unsupported`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        self.bytes = bytes
        let reader = try JXLReader(bytes, stoppingAt: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME])
        guard try reader.advance(isCancelled: { false }) == JXL_DEC_BASIC_INFO else { throw Self.damage }
        basics = try JXLBasics(reader.decoder)
        frames = JXLFrames(reader, basics, JXLBasics.pixelFormat)
        guard try reader.advance(isCancelled: { false }) == JXL_DEC_COLOR_ENCODING else { throw Self.damage }
        var header = basics.header
        header.profileName = JXLColor.profileName(reader.decoder)
        guard basics.isAnimated else {
            self.header = header
            isCutOff = false
            return
        }
        let (durations, status) = try Self.readFrames(reader, basics, limit: limits.frames)
        guard !durations.isEmpty else { throw Self.damage }
        isCutOff = status == JXL_DEC_NEED_MORE_INPUT
        if durations.count > 1 {
            header.frameCount = durations.count
            header.frameDurations = durations
            header.loopCount = basics.loopCount
        }
        self.header = header
    }

    /// Reads the frame headers without decompression.
    private static func readFrames(
        _ reader: JXLReader, _ basics: JXLBasics, limit: Int
    ) throws(ImageError) -> (durations: [Duration], end: JxlDecoderStatus) {
        var durations: [Duration] = []
        while durations.count <= limit {
            let status = try reader.advance(isCancelled: { false })
            guard status == JXL_DEC_FRAME else { return (durations, status) }
            var frame = JxlFrameHeader()
            guard JxlDecoderGetFrameHeader(reader.decoder, &frame) == JXL_DEC_SUCCESS else { break }
            durations.append(basics.duration(ticks: frame.duration))
        }
        return (durations, JXL_DEC_SUCCESS)
    }

    /// Decodes an existing frame. The next frame costs only its own decoding.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, and for a truncated one unless the options allow it;
    ///   `.cancelled`.
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        if isCutOff, !options.allowsPartial { throw JXLFrames.cutOff }
        var isPartial = false
        let pixels = try PixelBuffer(size: basics.size, isOpaque: basics.alpha == .unused) {
            (target, bytesPerRow) throws(ImageError) in
            isPartial = try frames.write(to: target, options)
            // Missing parts of a partial image are transparent, even if the image has no alpha.
            let alpha = isPartial && basics.alpha == .unused ? .straight : basics.alpha
            Canvas(target, bytesPerRow: bytesPerRow, size: basics.size)?.convertFromRGBA(alpha)
        }
        let image = try DecodedImage(
            stored: isPartial ? PixelBuffer(pixels, isOpaque: false) : pixels, header: header, options: options,
            colors: frames.colors, isPartial: isPartial || isCutOff)
        guard options.wantsDeepPixels(of: header), !image.metadata.isPartial else { return image }
        return try withDeepPixels(image, options)
    }

    private func withDeepPixels(_ image: DecodedImage, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        if deepFrames == nil {
            deepFrames = JXLFrames(try JXLReader(bytes, stoppingAt: []), basics, JXLBasics.deepPixelFormat)
        }
        guard let frames = deepFrames else { return image }
        let raster = try DeepRaster(basics.size)
        _ = try frames.write(to: UnsafeMutableRawBufferPointer(raster.words), options)
        raster.finish(bits: 16, isPremultiplied: basics.alpha == .premultiplied)
        return try image.withDeepPixels(raster, header: header, options: options, colors: frames.colors)
    }

    static let damage = ImageError.badData("The JPEG XL is damaged, or cut off before its header ends.")
}

/// Decodes the frames with pixels of one depth.
final class JXLFrames {
    /// The color space of the pixels, available after the first frame.
    private(set) var colors = ColorDescription.sRGB

    private let reader: JXLReader
    private let basics: JXLBasics
    private let format: JxlPixelFormat
    /// The next frame that libjxl decodes.
    private var next = 0
    /// Whether libjxl is inside a frame or past the end.
    private var needsRewind = true

    init(_ reader: JXLReader, _ basics: JXLBasics, _ format: JxlPixelFormat) {
        self.reader = reader
        self.basics = basics
        self.format = format
    }

    /// Writes R, G, B, A of the existing frame that the options request. Returns whether the frame is incomplete.
    func write(to target: UnsafeMutableRawBufferPointer, _ options: DecodeOptions) throws(ImageError) -> Bool {
        if needsRewind || options.frame < next {
            reader.rewind(stoppingAt: [JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE])
            next = 0
        }
        // If an error interrupts the frame, libjxl keeps a dangling output buffer.
        needsRewind = true
        if options.frame > next { JxlDecoderSkipFrames(reader.decoder, options.frame - next) }
        let isPartial = try decode(into: target, options)
        next = options.frame + 1
        needsRewind = isPartial
        return isPartial
    }

    private func decode(
        into target: UnsafeMutableRawBufferPointer, _ options: DecodeOptions
    ) throws(ImageError) -> Bool {
        while true {
            switch try reader.advance(isCancelled: options.isCancelled) {
            case JXL_DEC_COLOR_ENCODING:
                colors = JXLColor.choose(reader.decoder, basics, options.colorSpace)
            case JXL_DEC_FRAME:
                continue
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                if options.allowsPartial { target.initializeMemory(as: UInt8.self, repeating: 0) }
                var format = format
                guard
                    JxlDecoderSetImageOutBuffer(reader.decoder, &format, target.baseAddress, target.count)
                        == JXL_DEC_SUCCESS
                else { throw JXLFile.damage }
            case JXL_DEC_FULL_IMAGE:
                return false
            case JXL_DEC_NEED_MORE_INPUT:
                guard options.allowsPartial, JxlDecoderFlushImage(reader.decoder) == JXL_DEC_SUCCESS else {
                    throw Self.cutOff
                }
                return true
            default:
                throw JXLFile.damage
            }
        }
    }

    static let cutOff = ImageError.badData("The JPEG XL is cut off before its end.")
}
#endif
