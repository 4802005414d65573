#if JXL
import CJXL
public import EaselCore
import EaselFoundation

extension JXLCoder: IncrementalDecoding {
    /// Creates a decoder that first shows an eighth of the resolution, then each pass, or each region if there are no
    /// passes.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        JXLIncrementalDecoder(options)
    }
}

private final class JXLIncrementalDecoder: IncrementalDecoder {
    private let options: DecodeOptions
    private var input = JXLInputBuffer()
    private var image: JXLPartialImage?

    init(_ options: DecodeOptions) { self.options = options }

    func append(_ bytes: Data) throws(ImageError) {
        if image == nil { image = try JXLPartialImage(options) }
        guard let image, !image.isComplete else { return }
        try options.checkCancellation()
        input.append(bytes)
        try input.withPendingBytes { (pending) throws(ImageError) in try image.decode(pending) }
    }

    var isSufficient: Bool { image?.hasSufficientDetail ?? false }

    func preview() throws(ImageError) -> DecodedImage? { try image?.preview(consumedCount: input.consumedCount) }
}

/// A buffer of received bytes that libjxl has not consumed. They are passed to it again, followed by later bytes.
struct JXLInputBuffer {
    private var pending: [UInt8] = []
    /// The number of bytes that libjxl has consumed.
    private(set) var consumedCount = 0

    mutating func append(_ bytes: Data) { pending += bytes }

    /// Passes the bytes to `body`, which returns how many it did not consume.
    mutating func withPendingBytes(_ body: (UnsafeBufferPointer<UInt8>) throws(ImageError) -> Int) throws(ImageError) {
        let remainingCount = try pending.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try body(bytes) }
        let count = max(0, pending.count - remainingCount)
        pending.removeFirst(count)
        consumedCount += count
    }
}

/// One frame of a JPEG XL, decoded as it arrives.
final class JXLPartialImage {
    /// Whether the frame is complete in full detail.
    private(set) var isComplete = false

    private let decoder: OpaquePointer
    private let options: DecodeOptions
    private var basics: JXLBasics?
    private var header: ImageHeader?
    private var colors = ColorDescription.sRGB
    /// The buffer that libjxl writes to across calls: R, G, B, A.
    private var canvas: PartialCanvas?
    /// Whether a pass or the whole frame has arrived since the last preview.
    private var hasNewPass = false
    /// The downsampling of the last pass: 8, 4, 2 or 1; `nil` before the first one.
    private var coarseness: Int?
    private var shownByteCount = 0

    init(_ options: DecodeOptions) throws(ImageError) {
        decoder = try JXLReader.makeDecoder()
        self.options = options
        let events = [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FRAME_PROGRESSION]
        JXLReader.stop(decoder, at: events + [JXL_DEC_FULL_IMAGE])
        JxlDecoderSetProgressiveDetail(decoder, kPasses)
        if options.frame > 0 { JxlDecoderSkipFrames(decoder, options.frame) }
    }

    deinit { JxlDecoderDestroy(decoder) }

    /// Decodes `bytes` and returns how many of them must be passed again with the next bytes.
    func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Int {
        guard bytes.count > 0 else { return 0 }
        JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count)
        while true {
            switch JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_MORE_INPUT:
                return JxlDecoderReleaseInput(decoder)
            case JXL_DEC_BASIC_INFO:
                let basics = try JXLBasics(decoder)
                try options.limits.check(basics.header)
                self.basics = basics
                header = basics.header
            case JXL_DEC_COLOR_ENCODING:
                header?.profileName = JXLColor.profileName(decoder)
                if let basics { colors = JXLColor.choose(decoder, basics, options.colorSpace) }
            case JXL_DEC_FRAME:
                continue
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                guard let basics else { throw .damaged }
                let canvas = try PartialCanvas(basics.size)
                canvas.bytes.initializeMemory(as: UInt8.self, repeating: 0)
                try JXLReader.setOutput(decoder, canvas.bytes, JXLBasics.pixelFormat)
                self.canvas = canvas
            case JXL_DEC_FRAME_PROGRESSION:
                hasNewPass = true
                coarseness = JxlDecoderGetIntendedDownsamplingRatio(decoder)
                try options.checkCancellation()
            case JXL_DEC_FULL_IMAGE:
                isComplete = true
                hasNewPass = true
                return 0
            case JXL_DEC_SUCCESS:
                throw .missingFrame(options.frame)
            default:
                throw .damaged
            }
        }
    }

    /// Returns a preview if more of the image is visible than in the last one.
    ///
    /// libjxl renders the whole image for each preview. A preview is created for each new pass, or after the
    /// byte count has grown by a quarter, so the total work is proportional to the file size.
    func preview(consumedCount: Int) throws(ImageError) -> DecodedImage? {
        guard let canvas, let basics, let header else { return nil }
        guard hasNewPass || consumedCount > shownByteCount + shownByteCount / 4 else { return nil }
        guard isComplete || JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS else { return nil }
        hasNewPass = false
        shownByteCount = consumedCount
        // Missing parts are transparent, even if the image has no alpha.
        let alpha = basics.alpha == .unused ? .straight : basics.alpha
        let pixels = try canvas.pixels(rowCount: basics.size.height, isOpaque: false) { $0.convertFromRGBA(alpha) }
        return try DecodedImage(stored: pixels, header: header, options: options, colors: colors, isPartial: true)
    }

    /// Whether further passes would hardly be visible: the last one has the resolution of the requested size.
    var hasSufficientDetail: Bool {
        if isComplete { return true }
        guard let coarseness, let header else { return false }
        let (target, whole) = (options.targetSize.size(for: header.size), header.size)
        return target.width * coarseness <= whole.width && target.height * coarseness <= whole.height
    }
}
#endif
