#if JXL
import CJXL
import EaselCore

/// A JPEG XL opened with libjxl. Frames are decompressed on demand, with memory independent of their number.
final class JXLFile: LibraryFile {
    /// The header of the file. libjxl applies the orientation.
    let header: ImageHeader
    /// Whether the file of an animation ends before its last frame does.
    let isTruncated: Bool

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
        guard try reader.advance(isCancelled: { false }) == JXL_DEC_BASIC_INFO else { throw .damaged }
        basics = try JXLBasics(reader.decoder)
        frames = JXLFrames(reader, basics, JXLBasics.pixelFormat)
        guard try reader.advance(isCancelled: { false }) == JXL_DEC_COLOR_ENCODING else { throw .damaged }
        var header = basics.header
        header.profileName = JXLColor.profileName(reader.decoder)
        guard basics.isAnimated else {
            self.header = header
            isTruncated = false
            return
        }
        let (durations, status) = try Self.readFrames(reader, basics, limit: limits.frames)
        guard !durations.isEmpty else { throw .damaged }
        isTruncated = status == JXL_DEC_NEED_MORE_INPUT
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
            try ImageLimits.checkListed(frames: durations.count)
        }
        return (durations, JXL_DEC_SUCCESS)
    }

    /// Decodes an existing frame. The next frame costs only its own decoding.
    ///
    /// - Throws: `ImageError.badData` for a damaged frame, and for a truncated one unless the options allow it;
    ///   `.cancelled`.
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        if isTruncated, !options.allowsPartial { throw .truncated }
        var isPartial = false
        let pixels = try PixelBuffer.draw(basics.size, isOpaque: basics.alpha == .unused) {
            (canvas) throws(ImageError) in
            isPartial = try frames.write(to: canvas.bytes, options)
            // Missing parts of a partial image are transparent, even if the image has no alpha.
            canvas.convertFromRGBA(isPartial && basics.alpha == .unused ? .straight : basics.alpha)
        }
        let image = try DecodedImage(
            stored: isPartial ? PixelBuffer(pixels, isOpaque: false) : pixels, header: header, options: options,
            colors: frames.colors, isPartial: isPartial || isTruncated)
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
}

/// A decoder of the frames with pixels of one depth.
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
                try JXLReader.setOutput(reader.decoder, target, format)
            case JXL_DEC_FULL_IMAGE:
                return false
            case JXL_DEC_NEED_MORE_INPUT:
                guard options.allowsPartial, JxlDecoderFlushImage(reader.decoder) == JXL_DEC_SUCCESS else {
                    throw .truncated
                }
                return true
            default:
                throw .damaged
            }
        }
    }
}

/// A libjxl decoder that receives its file in pieces.
final class JXLReader {
    let decoder: OpaquePointer
    private let file: UnsafeBufferPointer<UInt8>
    private let pieceSize: Int
    private var passedCount = 0

    /// - Parameters:
    ///   - file: the bytes. They must outlive this object.
    ///   - events: the events that libjxl stops at.
    init(_ file: UnsafeBufferPointer<UInt8>, stoppingAt events: [JxlDecoderStatus]) throws(ImageError) {
        decoder = try Self.makeDecoder()
        self.file = file
        // Cancellation is checked between pieces, so they are small, but large enough to add no overhead.
        pieceSize = max(64 << 10, file.count / 64)
        Self.stop(decoder, at: events)
    }

    deinit { JxlDecoderDestroy(decoder) }

    static func makeDecoder() throws(ImageError) -> OpaquePointer {
        guard let decoder = JxlDecoderCreate(nil) else { throw .outOfMemory }
        return decoder
    }

    static func stop(_ decoder: OpaquePointer, at events: [JxlDecoderStatus]) {
        JxlDecoderSubscribeEvents(decoder, events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
    }

    /// Sets the memory of the next frame.
    static func setOutput(
        _ decoder: OpaquePointer, _ target: UnsafeMutableRawBufferPointer, _ format: JxlPixelFormat
    ) throws(ImageError) {
        var format = format
        let status = JxlDecoderSetImageOutBuffer(decoder, &format, target.baseAddress, target.count)
        guard status == JXL_DEC_SUCCESS else { throw .damaged }
    }

    /// Restarts at the beginning of the file. libjxl retains the list of reference frames.
    func rewind(stoppingAt events: [JxlDecoderStatus]) {
        _ = JxlDecoderReleaseInput(decoder)
        JxlDecoderRewind(decoder)
        Self.stop(decoder, at: events)
        passedCount = 0
    }

    /// Advances to the next event. Returns `JXL_DEC_NEED_MORE_INPUT` if the file is truncated.
    func advance(isCancelled: () -> Bool) throws(ImageError) -> JxlDecoderStatus {
        while true {
            let status = passedCount == 0 ? JXL_DEC_NEED_MORE_INPUT : JxlDecoderProcessInput(decoder)
            guard status == JXL_DEC_NEED_MORE_INPUT, passedCount < file.count else { return status }
            if isCancelled() { throw .cancelled }
            let start = passedCount - JxlDecoderReleaseInput(decoder)
            passedCount += min(pieceSize, file.count - passedCount)
            let piece = UnsafeBufferPointer(rebasing: file[start..<passedCount])
            JxlDecoderSetInput(decoder, piece.baseAddress, piece.count)
        }
    }
}

/// The basic information at the beginning of a JPEG XL.
struct JXLBasics {
    private let info: JxlBasicInfo

    /// Reads the basic information that libjxl has parsed.
    ///
    /// - Throws: `ImageError.badData`, and `.unsupported` for images that cannot be displayed.
    init(_ decoder: OpaquePointer) throws(ImageError) {
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw .damaged }
        for index in 0..<Int(info.num_extra_channels) {
            var channel = JxlExtraChannelInfo()
            guard JxlDecoderGetExtraChannelInfo(decoder, index, &channel) == JXL_DEC_SUCCESS else { throw .damaged }
            guard channel.type != JXL_CHANNEL_BLACK else {
                throw .unsupported("CMYK in JPEG XL is not supported. Convert the image to RGB.")
            }
        }
        self.info = info
    }

    /// The size of the upright image; libjxl applies the orientation.
    var size: PixelSize { PixelSize(Int(info.xsize), Int(info.ysize)) }
    var isAnimated: Bool { info.have_animation != 0 }
    var loopCount: Int { Int(info.animation.num_loops) }
    var isGray: Bool { info.num_color_channels == 1 }

    /// Whether colors are stored in XYB, from which libjxl can convert to any space.
    var supportsColorConversion: Bool { info.uses_original_profile == 0 }

    /// The header known so far: that of a still image.
    var header: ImageHeader {
        ImageHeader(format: .jxl, storedSize: size, hasAlpha: info.alpha_bits > 0, bitDepth: Int(info.bits_per_sample))
    }

    var alpha: RGBARows.Alpha {
        info.alpha_bits == 0 ? .unused : info.alpha_premultiplied != 0 ? .premultiplied : .straight
    }

    func duration(ticks: UInt32) -> Duration {
        let (numerator, denominator) = (info.animation.tps_numerator, info.animation.tps_denominator)
        guard numerator > 0 else { return .playback(milliseconds: 0) }
        let perSecond = Double(numerator) / Double(max(denominator, 1))
        return .playback(milliseconds: Int((Double(ticks) * 1000 / perSecond).rounded()))
    }

    /// The requested pixel format: R, G, B, A, with the row alignment of a `PixelBuffer`.
    static let pixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 64)

    /// The requested 16-bit pixel format, with the row alignment of a `DeepRaster`.
    static let deepPixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 64)
}
#endif
