#if JXL
import CJXL
public import EaselCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JXLCoder: ImageEncoding {
    /// Writes JPEG XL in `options.quality`, with alpha where the picture has it; at a quality of 1, lossless.
    ///
    /// - Throws: `ImageError.unsupported` for a picture that libjxl refuses.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        let encoder = try JXLEncoder()
        let pixels = try StraightPixels(image.pixels, image.pixels.isOpaque ? .rgb : .rgba)
        try encoder.add(pixels, of: image.pixels, distance: JXLDistance.of(quality: options.quality))
        return try encoder.output()
    }
}

/// libjxl's encoder of one still picture, destroyed by its owner.
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

    /// - Parameters:
    ///   - straight: the pixels of `picture`, not premultiplied: R, G, B, and A where it is not opaque.
    ///   - distance: 0 is lossless.
    func add(_ straight: borrowing StraightPixels, of picture: PixelBuffer, distance: Float) throws(ImageError) {
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(clamping: picture.width)
        info.ysize = UInt32(clamping: picture.height)
        info.bits_per_sample = 8
        info.alpha_bits = picture.isOpaque ? 0 : 8
        info.num_extra_channels = picture.isOpaque ? 0 : 1
        info.uses_original_profile = distance == 0 ? 1 : 0
        try check(JxlEncoderSetBasicInfo(encoder, &info))
        var color = JxlColorEncoding()
        JxlColorEncodingSetToSRGB(&color, 0)
        try check(JxlEncoderSetColorEncoding(encoder, &color))
        let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
        try check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Self.effort))
        if distance == 0 {
            try check(JxlEncoderSetFrameLossless(settings, 1))
        } else {
            try check(JxlEncoderSetFrameDistance(settings, distance))
        }
        var format = JxlPixelFormat(
            num_channels: picture.isOpaque ? 3 : 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN,
            align: 0)
        let bytes = straight.memory.bytes
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
            throw .unsupported("The JPEG XL cannot be written: libjxl refuses the picture.")
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
