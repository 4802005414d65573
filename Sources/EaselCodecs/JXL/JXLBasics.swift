#if JXL
import CJXL
import EaselCore

/// What stands at the beginning of a JPEG XL.
struct JXLBasics {
    private let info: JxlBasicInfo

    /// After libjxl has read them.
    ///
    /// - Throws: `ImageError.badData`, and `.unsupported` for what is not made to be shown.
    init(_ decoder: OpaquePointer) throws(ImageError) {
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw JXLFile.damage }
        for index in 0..<Int(info.num_extra_channels) {
            var channel = JxlExtraChannelInfo()
            guard JxlDecoderGetExtraChannelInfo(decoder, index, &channel) == JXL_DEC_SUCCESS else {
                throw JXLFile.damage
            }
            guard channel.type != JXL_CHANNEL_BLACK else {
                throw .unsupported("A JPEG XL of CMYK cannot be read here. Convert it to RGB.")
            }
        }
        self.info = info
    }

    /// Of the upright picture: libjxl turns it.
    var size: PixelSize { PixelSize(Int(info.xsize), Int(info.ysize)) }
    var isAnimated: Bool { info.have_animation != 0 }
    var loopCount: Int { Int(info.animation.num_loops) }
    var isGray: Bool { info.num_color_channels == 1 }

    /// Whether the colours are stored in a space of libjxl's own, so that it can give them in any.
    var hasFreeColor: Bool { info.uses_original_profile == 0 }

    /// The header of the file as far as it is known: a still picture.
    var header: ImageHeader {
        ImageHeader(
            format: .jxl, storedSize: size, hasAlpha: info.alpha_bits > 0, bitDepth: Int(info.bits_per_sample))
    }

    var alpha: RGBARows.Alpha {
        info.alpha_bits == 0 ? .unused : info.alpha_premultiplied != 0 ? .premultiplied : .straight
    }

    /// How long a frame of `ticks` is shown.
    func duration(ticks: UInt32) -> Duration {
        let (ticksOfSeconds, seconds) = (info.animation.tps_numerator, info.animation.tps_denominator)
        guard ticksOfSeconds > 0 else { return FrameTiming.played(milliseconds: 0) }
        let perSecond = Double(ticksOfSeconds) / Double(max(seconds, 1))
        return FrameTiming.played(milliseconds: Int((Double(ticks) * 1000 / perSecond).rounded()))
    }

    /// Pixels as they are asked of libjxl: R, G, B, A, in rows as a `PixelBuffer` has them.
    static let pixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 64)

    /// The same in 16 bits, as a `DeepRaster` has them.
    static let deepPixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 64)
}
#endif
