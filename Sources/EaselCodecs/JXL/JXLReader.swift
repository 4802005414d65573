#if JXL
import CJXL
import EaselCore

/// A libjxl decoder that receives its file in pieces.
final class JXLReader {
    let decoder: OpaquePointer
    private let file: UnsafeBufferPointer<UInt8>
    private let pieceSize: Int
    private var given = 0

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

    deinit {
        JxlDecoderDestroy(decoder)
    }

    static func makeDecoder() throws(ImageError) -> OpaquePointer {
        guard let decoder = JxlDecoderCreate(nil) else {
            throw .unsupported("There is no memory left to decode the JPEG XL.")
        }
        return decoder
    }

    static func stop(_ decoder: OpaquePointer, at events: [JxlDecoderStatus]) {
        JxlDecoderSubscribeEvents(decoder, events.reduce(0) { $0 | Int32(bitPattern: $1.rawValue) })
    }

    /// Restarts at the beginning of the file. libjxl remembers which frames are references.
    func rewind(stoppingAt events: [JxlDecoderStatus]) {
        _ = JxlDecoderReleaseInput(decoder)
        JxlDecoderRewind(decoder)
        Self.stop(decoder, at: events)
        given = 0
    }

    /// Advances to the next event. Returns `JXL_DEC_NEED_MORE_INPUT` if the file is truncated.
    func advance(isCancelled: () -> Bool) throws(ImageError) -> JxlDecoderStatus {
        while true {
            let status = given == 0 ? JXL_DEC_NEED_MORE_INPUT : JxlDecoderProcessInput(decoder)
            guard status == JXL_DEC_NEED_MORE_INPUT, given < file.count else { return status }
            if isCancelled() { throw .cancelled }
            let start = given - JxlDecoderReleaseInput(decoder)
            given += min(pieceSize, file.count - given)
            let piece = UnsafeBufferPointer(rebasing: file[start..<given])
            JxlDecoderSetInput(decoder, piece.baseAddress, piece.count)
        }
    }
}

/// The basic information at the beginning of a JPEG XL.
struct JXLBasics {
    private let info: JxlBasicInfo

    /// Reads the basic information that libjxl has parsed.
    ///
    /// - Throws: `ImageError.badData`, and `.unsupported` for images that are not meant for display.
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

    /// The size of the upright image; libjxl applies the orientation.
    var size: PixelSize { PixelSize(Int(info.xsize), Int(info.ysize)) }
    var isAnimated: Bool { info.have_animation != 0 }
    var loopCount: Int { Int(info.animation.num_loops) }
    var isGray: Bool { info.num_color_channels == 1 }

    /// Whether colors are stored in XYB, from which libjxl can convert to any space.
    var hasFreeColor: Bool { info.uses_original_profile == 0 }

    /// The header known so far: that of a still image.
    var header: ImageHeader {
        ImageHeader(
            format: .jxl, storedSize: size, hasAlpha: info.alpha_bits > 0, bitDepth: Int(info.bits_per_sample))
    }

    var alpha: RGBARows.Alpha {
        info.alpha_bits == 0 ? .unused : info.alpha_premultiplied != 0 ? .premultiplied : .straight
    }

    func duration(ticks: UInt32) -> Duration {
        let (ticksOfSeconds, seconds) = (info.animation.tps_numerator, info.animation.tps_denominator)
        guard ticksOfSeconds > 0 else { return FrameTiming.played(milliseconds: 0) }
        let perSecond = Double(ticksOfSeconds) / Double(max(seconds, 1))
        return FrameTiming.played(milliseconds: Int((Double(ticks) * 1000 / perSecond).rounded()))
    }

    /// The requested pixel format: R, G, B, A, with the row alignment of a `PixelBuffer`.
    static let pixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 64)

    /// The requested 16-bit pixel format, with the row alignment of a `DeepRaster`.
    static let deepPixelFormat = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT16, endianness: JXL_NATIVE_ENDIAN, align: 64)
}
#endif
