#if JXL
import CJXL
public import EaselCore
public import EaselFoundation

/// A coder that reads still, animated and incomplete JPEG XL, and writes still JPEG XL, through libjxl.
///
/// Colors are converted to sRGB if libjxl supports it. The orientation of the codestream is applied.
public struct JXLCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `jxl` format.
    public var format: ImageFormat { .jxl }

    /// Reads the header, and each frame's header of an animation. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a JPEG XL, or is truncated in its header, `.unsupported` for
    ///   CMYK, `.tooLarge` for more than 100,000 frames, whatever the limits.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try JXLFile.header(of: data)
    }

    /// Decodes the image, or one composited frame of an animation.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then the image lacks detail where data is missing.
    /// After cancellation, long libjxl calls for a large image finish on a separate thread.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try JXLFile.decode(data, options)
    }
}

extension JXLCoder: AnimationDecoding {
    /// Creates a decoder for the frames of the file. It keeps a copy of the file and the few reference frames.
    ///
    /// - Throws: `ImageError.badData` if the data is not a JPEG XL, `.tooLarge`, `.unsupported`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<JXLFile>(data, options)
    }

    /// Returns the header with all frames before the last frame header received, since libjxl does not report whether
    /// the last frame's data is complete.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            let file = try? JXLFile(bytes, limits: ImageLimits(pixels: .max, frames: .max - 1))
            return file.flatMap { $0.header.headerOfCompleteFrames(isLastFrameComplete: false) }
        }
    }
}

extension JXLCoder: ImageEncoding {
    /// Writes JPEG XL of `options.quality`, with alpha if the image has it, and 16 bits for deep pixels. Lossless for a
    /// quality of 1, if the options request it, and for HDR, since libjxl's lossy encoding loses dark tones.
    ///
    /// - Throws: `ImageError.unsupported` for an image that libjxl rejects, `.tooLarge` if the file cannot meet the
    ///   byte limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        let isLossless = options.isLossless || image.deepPixels?.colors == .perceptualQuantizer
        return try options.fitting(image, isLossy: !isLossless) { (image, options) throws(ImageError) in
            let encoder = try JXLEncoder()
            let quality = isLossless ? 1 : options.quality
            // Each step makes files a little smaller and takes several times as long.
            let effort = options.value(forEffort: [1, 1, 2, 3, 4, 5, 6, 7, 8, 9], standard: 4)
            try encoder.add(JXLSource(image), distance: JXLDistance.of(quality: quality), effort: effort)
            return try encoder.output()
        }
    }
}

/// The input of libjxl: straight R, G, B, plus A for images that are not opaque.
private struct JXLSource: ~Copyable {
    let size: PixelSize
    let isOpaque: Bool
    let bitDepth: Int
    let colors: CodePoints?
    let memory: ScratchMemory

    init(_ image: DecodedImage) throws(ImageError) {
        size = image.size
        isOpaque = image.pixels.isOpaque
        let deep = image.deepPixels
        bitDepth = deep == nil ? 8 : 16
        colors = CodePoints(deep?.colors ?? .standard(image.metadata.colorSpace))
        let channels = isOpaque ? 3 : 4
        guard let deep else {
            memory = try ScratchMemory(straight: image.pixels, isOpaque ? .rgb : .rgba)
            return
        }
        memory = try ScratchMemory(count: size.width * size.height * channels * 2, for: size)
        guard let start = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for y in 0..<size.height {
            deep.copyStraightRow(y, channels: channels, into: start + y * size.width * channels * 2)
        }
    }

    /// The pixel format. 16-bit words are big-endian.
    var format: JxlPixelFormat {
        JxlPixelFormat(
            num_channels: isOpaque ? 3 : 4, data_type: bitDepth == 8 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16,
            endianness: bitDepth == 8 ? JXL_NATIVE_ENDIAN : JXL_BIG_ENDIAN, align: 0)
    }

    var encoding: JxlColorEncoding {
        var encoding = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&encoding, 0)
        if colors == .displayP3 { encoding.primaries = JXL_PRIMARIES_P3 }
        if colors == .perceptualBT2020 {
            encoding.primaries = JXL_PRIMARIES_2100
            encoding.transfer_function = JXL_TRANSFER_FUNCTION_PQ
        }
        return encoding
    }
}

/// A libjxl encoder for one still image, destroyed by its owner.
private struct JXLEncoder: ~Copyable {
    private let encoder: OpaquePointer

    init() throws(ImageError) {
        guard let encoder = JxlEncoderCreate(nil) else { throw .outOfMemory }
        self.encoder = encoder
    }

    deinit { JxlEncoderDestroy(encoder) }

    /// - Parameters:
    ///   - distance: 0 is lossless.
    ///   - effort: from 1 to 9.
    func add(_ image: borrowing JXLSource, distance: Float, effort: Int) throws(ImageError) {
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(clamping: image.size.width)
        info.ysize = UInt32(clamping: image.size.height)
        info.bits_per_sample = UInt32(image.bitDepth)
        info.alpha_bits = image.isOpaque ? 0 : UInt32(image.bitDepth)
        info.num_extra_channels = image.isOpaque ? 0 : 1
        info.uses_original_profile = distance == 0 ? 1 : 0
        if image.colors?.isHDR == true { info.intensity_target = 10_000 }
        try check(JxlEncoderSetBasicInfo(encoder, &info))
        var color = image.encoding
        try check(JxlEncoderSetColorEncoding(encoder, &color))
        let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
        try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)))
        if distance == 0 {
            try check(JxlEncoderSetFrameLossless(settings, 1))
        } else {
            try check(JxlEncoderSetFrameDistance(settings, distance))
        }
        var format = image.format
        let bytes = image.memory.bytes
        try check(JxlEncoderAddImageFrame(settings, &format, bytes.baseAddress, bytes.count))
        JxlEncoderCloseInput(encoder)
    }

    func output() throws(ImageError) -> Data {
        var file = Data()
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let (status, count) = piece.withUnsafeMutableBufferPointer { buffer in
                var next = buffer.baseAddress
                var left = buffer.count
                let status = JxlEncoderProcessOutput(encoder, &next, &left)
                return (status, buffer.count - left)
            }
            file += piece[..<count]
            if status == JXL_ENC_SUCCESS { return file }
            if status != JXL_ENC_NEED_MORE_OUTPUT { try check(status) }
        }
    }

    private func check(_ status: JxlEncoderStatus) throws(ImageError) {
        guard status == JXL_ENC_SUCCESS else { throw .unsupported("The JPEG XL encoder failed.") }
    }
}

/// A mapping of a quality from 0 to 1 to a libjxl distance; a distance of 1 is just noticeable.
enum JXLDistance {
    /// Returns the distance, by the formula of libjxl's tools: 1 for a quality of 0.9, quadratic below 0.3, at most 25.
    static func of(quality: Double) -> Float {
        let percent = min(max(quality, 0), 1) * 100
        if percent == 100 { return 0 }
        if percent >= 30 { return Float(0.1 + (100 - percent) * 0.09) }
        return Float(min(25, 53 / 3000 * percent * percent - 23 / 20 * percent + 25))
    }
}
#endif
