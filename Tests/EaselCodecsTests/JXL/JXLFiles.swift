#if JXL
import CJXL
import EaselCore
import EaselTesting
import Foundation
import Testing

/// JPEG XL files with profiles, encoded by libjxl.
enum JXLFiles {
    /// Returns a few pixels with a profile.
    ///
    /// - Parameter usesXYB: Whether libjxl stores the colors in its own space, XYB.
    static func file(
        profile: [UInt8], isGray: Bool = false, usesXYB: Bool = false, orientation: JxlOrientation = JXL_ORIENT_IDENTITY
    ) throws -> Data {
        let encoder = try #require(JxlEncoderCreate(nil))
        defer { JxlEncoderDestroy(encoder) }
        let (width, height, channels) = (9, 7, isGray ? 1 : 3)
        var info = JxlBasicInfo()
        JxlEncoderInitBasicInfo(&info)
        info.xsize = UInt32(width)
        info.ysize = UInt32(height)
        info.bits_per_sample = 8
        info.num_color_channels = UInt32(channels)
        info.uses_original_profile = usesXYB ? 0 : 1
        info.orientation = orientation
        try #require(JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS)
        try #require(JxlEncoderSetICCProfile(encoder, profile, profile.count) == JXL_ENC_SUCCESS)
        let settings = JxlEncoderFrameSettingsCreate(encoder, nil)
        if !usesXYB { JxlEncoderSetFrameLossless(settings, 1) }
        var format = JxlPixelFormat(
            num_channels: UInt32(channels), data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
        let samples = (0..<width * height * channels).map { UInt8($0 * 3 % 256) }
        try #require(JxlEncoderAddImageFrame(settings, &format, samples, samples.count) == JXL_ENC_SUCCESS)
        JxlEncoderCloseInput(encoder)
        var file = [UInt8](repeating: 0, count: 1 << 20)
        let count = file.withUnsafeMutableBufferPointer { buffer in
            var (next, remaining) = (buffer.baseAddress, buffer.count)
            return JxlEncoderProcessOutput(encoder, &next, &remaining) == JXL_ENC_SUCCESS ? buffer.count - remaining : 0
        }
        try #require(count > 0)
        return Data(file[..<count])
    }
}
#endif
