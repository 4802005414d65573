#if JXL
import CJXL
public import EaselCore

public import EaselFoundation

extension JXLCoder: ImageEncoding {
    /// Writes JPEG XL in `options.quality`, with alpha where the image has it, and of 16 bits where the image has deep
    /// pixels; lossless at a quality of 1, where the options say so, and for HDR, whose dark parts libjxl's lossy way does not
    /// keep.
    ///
    /// - Throws: `ImageError.unsupported` for an image that libjxl refuses, `.tooLarge` where it cannot be made small enough.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        let isLossless = options.isLossless || image.deepPixels?.colors == .perceptualQuantizer
        return try options.fitting(image, isLossy: !isLossless) { (image, options) throws(ImageError) in
            let encoder = try JXLEncoder()
            let quality = isLossless ? 1 : options.quality
            try encoder.add(JXLSource(image), distance: JXLDistance.of(quality: quality))
            return try encoder.output()
        }
    }
}

/// An image as libjxl takes it: straight R, G, B, and A where it is not opaque.
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
            memory = try StraightPixels(image.pixels, isOpaque ? .rgb : .rgba).takeMemory()
            return
        }
        memory = try ScratchMemory(count: size.width * size.height * channels * 2, for: size)
        guard let start = memory.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        for y in 0..<size.height {
            deep.copyStraightRow(y, channels: channels, into: start + y * size.width * channels * 2)
        }
    }

    /// Words have their high byte first.
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

/// libjxl's encoder of one still image, destroyed by its owner.
private struct JXLEncoder: ~Copyable {
    private let encoder: OpaquePointer

    init() throws(ImageError) {
        guard let encoder = JxlEncoderCreate(nil) else {
            throw .unsupported("There is no memory left to write the JPEG XL.")
        }
        self.encoder = encoder
    }

    deinit {
        JxlEncoderDestroy(encoder)
    }

    /// - Parameter distance: 0 is lossless.
    func add(_ image: borrowing JXLSource, distance: Float) throws(ImageError) {
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
        try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Self.effort))
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

    /// The whole file.
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
        guard status == JXL_ENC_SUCCESS else {
            throw .unsupported("The JPEG XL cannot be written: libjxl refuses the image.")
        }
    }

    /// From 1 to 9: files of the next one are a little smaller and take several times as long.
    private static let effort: Int64 = 4
}

/// A quality from 0 to 1 as libjxl's distance from the original, of which 1 is just noticed.
enum JXLDistance {
    /// As libjxl's own tools do it: 0.9 is a distance of 1; below 0.3 it grows with the square, up to 25.
    static func of(quality: Double) -> Float {
        let percent = min(max(quality, 0), 1) * 100
        if percent == 100 { return 0 }
        if percent >= 30 { return Float(0.1 + (100 - percent) * 0.09) }
        return Float(min(25, 53 / 3000 * percent * percent - 23 / 20 * percent + 25))
    }
}
#endif
