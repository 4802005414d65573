#if JXL
import CJXL
import EaselCore

/// A JPEG XL that libjxl has opened. Frames are decompressed as they are asked for; the memory for that does not grow
/// with their number.
final class JXLFile: LibraryFile {
    /// What the file says of itself. Its own orientation counts as applied: libjxl does.
    let header: ImageHeader
    /// Whether an animation's file ends before its last frame does.
    let isCutOff: Bool

    private let reader: JXLReader
    private let basics: JXLBasics
    private var colors = ColorDescription.sRGB
    /// The frame that libjxl comes to next.
    private var next = 0
    /// Whether libjxl is in the middle of a frame, or behind the end.
    private var needsRewind = true

    /// - Parameters:
    ///   - bytes: the file. It must stay where it is as long as this object lives.
    ///   - limits: frames beyond these and one more are not looked for.
    /// - Throws: `ImageError.badData` for what is no JPEG XL, or is cut off before its header ends, `.unsupported`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        reader = try JXLReader(bytes, stoppingAt: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME])
        guard try reader.advance(isCancelled: { false }) == JXL_DEC_BASIC_INFO else { throw Self.damage }
        basics = try JXLBasics(reader.decoder)
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

    /// Goes from frame to frame, decompressing none.
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

    /// The frame that the options ask for, which is there. The one behind the last costs its own work alone.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, and for one that ends early unless the options allow it;
    ///   `.cancelled`.
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let image = try shallowFrame(options)
        guard options.wantsDeepPixels(of: header), !image.metadata.isPartial else { return image }
        let raster = try DeepRaster(basics.size)
        reader.rewind(stoppingAt: [JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE])
        needsRewind = true
        _ = try decode(into: UnsafeMutableRawBufferPointer(raster.words), JXLBasics.deepPixelFormat, options)
        raster.finish(bits: 16, isPremultiplied: basics.alpha == .premultiplied)
        return try image.withDeepPixels(raster, header: header, options: options, colors: colors)
    }

    private func shallowFrame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        if isCutOff, !options.allowsPartial { throw Self.cutOff }
        if needsRewind || options.frame < next {
            reader.rewind(stoppingAt: [JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE])
            next = 0
        }
        // Until the frame is there: an error leaves libjxl with a place to write to that is gone.
        needsRewind = true
        if options.frame > next { JxlDecoderSkipFrames(reader.decoder, options.frame - next) }
        var isPartial = false
        let pixels = try PixelBuffer(size: basics.size, isOpaque: basics.alpha == .unused) {
            (target, bytesPerRow) throws(ImageError) in
            isPartial = try decode(into: target, JXLBasics.pixelFormat, options)
            // What is missing of a partial picture is transparent, even where the picture has no alpha.
            let alpha = isPartial && basics.alpha == .unused ? .straight : basics.alpha
            Canvas(target, bytesPerRow: bytesPerRow, size: basics.size)?.convertFromRGBA(alpha)
        }
        next = options.frame + 1
        needsRewind = isPartial
        return try DecodedImage(
            stored: isPartial ? PixelBuffer(pixels, isOpaque: false) : pixels, header: header, options: options,
            colors: colors, isPartial: isPartial || isCutOff)
    }

    /// Has libjxl write R, G, B, A. Returns whether the picture is there in part only.
    private func decode(
        into target: UnsafeMutableRawBufferPointer, _ format: JxlPixelFormat, _ options: DecodeOptions
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
                else { throw Self.damage }
            case JXL_DEC_FULL_IMAGE:
                return false
            case JXL_DEC_NEED_MORE_INPUT:
                guard options.allowsPartial, JxlDecoderFlushImage(reader.decoder) == JXL_DEC_SUCCESS else {
                    throw Self.cutOff
                }
                return true
            default:
                throw Self.damage
            }
        }
    }

    static let damage = ImageError.badData("The JPEG XL is damaged, or cut off before its header ends.")
    private static let cutOff = ImageError.badData("The JPEG XL is cut off before its end.")
}
#endif
