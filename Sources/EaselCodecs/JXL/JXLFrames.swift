#if JXL
import CJXL
import EaselCore

/// libjxl's way from frame to frame, with pixels of one depth.
final class JXLFrames {
    /// What the pixels' numbers mean; known with the first frame.
    private(set) var colors = ColorDescription.sRGB

    private let reader: JXLReader
    private let basics: JXLBasics
    private let format: JxlPixelFormat
    /// The frame that libjxl comes to next.
    private var next = 0
    /// Whether libjxl is in the middle of a frame, or behind the end.
    private var needsRewind = true

    init(_ reader: JXLReader, _ basics: JXLBasics, _ format: JxlPixelFormat) {
        self.reader = reader
        self.basics = basics
        self.format = format
    }

    /// Has libjxl write R, G, B, A of the frame that the options ask for, which is there. Returns whether it is there in part
    /// only.
    func write(to target: UnsafeMutableRawBufferPointer, _ options: DecodeOptions) throws(ImageError) -> Bool {
        if needsRewind || options.frame < next {
            reader.rewind(stoppingAt: [JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FULL_IMAGE])
            next = 0
        }
        // Until the frame is there: an error leaves libjxl with a place to write to that is gone.
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
