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
    private var input = JXLArrivals()
    private var image: JXLArrivingImage?

    init(_ options: DecodeOptions) {
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        let image = try arrivingImage()
        guard !image.isWhole else { return }
        try options.checkCancellation()
        input.append(bytes)
        try input.give { (pending) throws(ImageError) in try image.take(pending) }
    }

    private func arrivingImage() throws(ImageError) -> JXLArrivingImage {
        if let image { return image }
        let image = try JXLArrivingImage(options)
        self.image = image
        return image
    }

    var isSufficient: Bool { image?.isSufficient ?? false }

    func preview() throws(ImageError) -> ImagePreview? {
        try image?.preview(bytesTaken: input.taken)
    }
}

/// A buffer of received bytes that libjxl has not consumed. They are passed to it again, followed by later bytes.
struct JXLArrivals {
    private var pending: [UInt8] = []
    private var start = 0
    /// The number of bytes that libjxl has consumed.
    private(set) var taken = 0

    mutating func append(_ bytes: Data) {
        // Compacts only if fewer bytes move than were consumed since the last time.
        if start > pending.count / 2 {
            pending.removeSubrange(..<start)
            start = 0
        }
        pending += bytes
    }

    /// Passes the bytes to `body`, which returns how many it did not consume.
    mutating func give(
        _ body: (UnsafeBufferPointer<UInt8>) throws(ImageError) -> Int
    ) throws(ImageError) {
        let range = start..<pending.count
        let left = try pending.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try body(UnsafeBufferPointer(rebasing: bytes[range]))
        }
        start = pending.count - min(left, range.count)
        taken += range.count - min(left, range.count)
    }
}

/// One frame of a JPEG XL, decoded as it arrives.
final class JXLArrivingImage {
    /// Whether the frame is complete in full detail.
    private(set) var isWhole = false

    private let decoder: OpaquePointer
    private let options: DecodeOptions
    private var basics: JXLBasics?
    private var header: ImageHeader?
    private var colors = ColorDescription.sRGB
    /// The buffer that libjxl writes to across calls: R, G, B, A.
    private var canvas: JXLCanvas?
    /// Whether a pass or the whole frame has arrived since the last preview.
    private var hasNewPass = false
    /// The downsampling of the last pass: 8, 4, 2 or 1; `nil` before the first one.
    private var coarseness: Int?
    private var bytesAtPreview = 0

    init(_ options: DecodeOptions) throws(ImageError) {
        decoder = try JXLReader.makeDecoder()
        self.options = options
        JXLReader.stop(
            decoder,
            at: [
                JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME, JXL_DEC_FRAME_PROGRESSION,
                JXL_DEC_FULL_IMAGE,
            ])
        JxlDecoderSetProgressiveDetail(decoder, kPasses)
        if options.frame > 0 { JxlDecoderSkipFrames(decoder, options.frame) }
    }

    deinit {
        JxlDecoderDestroy(decoder)
    }

    /// Decodes `bytes` and returns how many of them must be passed again with the next bytes.
    func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(ImageError) -> Int {
        guard bytes.count > 0 else { return 0 }
        JxlDecoderSetInput(decoder, bytes.baseAddress, bytes.count)
        while true {
            switch JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_MORE_INPUT:
                return JxlDecoderReleaseInput(decoder)
            case JXL_DEC_BASIC_INFO:
                try start()
            case JXL_DEC_COLOR_ENCODING:
                header?.profileName = JXLColor.profileName(decoder)
                if let basics { colors = JXLColor.choose(decoder, basics, options.colorSpace) }
            case JXL_DEC_FRAME:
                continue
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                try makeCanvas()
            case JXL_DEC_FRAME_PROGRESSION:
                hasNewPass = true
                coarseness = JxlDecoderGetIntendedDownsamplingRatio(decoder)
                try options.checkCancellation()
            case JXL_DEC_FULL_IMAGE:
                isWhole = true
                hasNewPass = true
                return 0
            case JXL_DEC_SUCCESS:
                throw .unsupported("There is no frame \(options.frame) in the image.")
            default:
                throw JXLFile.damage
            }
        }
    }

    private func start() throws(ImageError) {
        let basics = try JXLBasics(decoder)
        try options.limits.check(basics.header)
        self.basics = basics
        header = basics.header
    }

    private func makeCanvas() throws(ImageError) {
        guard let basics else { throw JXLFile.damage }
        let canvas = try JXLCanvas(basics.size)
        var format = JXLBasics.pixelFormat
        guard
            JxlDecoderSetImageOutBuffer(decoder, &format, canvas.bytes.baseAddress, canvas.bytes.count)
                == JXL_DEC_SUCCESS
        else { throw JXLFile.damage }
        self.canvas = canvas
    }

    /// Returns a preview if more of the image is visible than in the last one.
    ///
    /// libjxl renders the whole image for each preview. One is made for each new pass, and otherwise after a quarter
    /// more bytes, so the total work is proportional to the file size.
    func preview(bytesTaken: Int) throws(ImageError) -> ImagePreview? {
        guard let canvas, let basics, let header else { return nil }
        guard hasNewPass || bytesTaken > bytesAtPreview + bytesAtPreview / 4 else { return nil }
        guard isWhole || JxlDecoderFlushImage(decoder) == JXL_DEC_SUCCESS else { return nil }
        hasNewPass = false
        bytesAtPreview = bytesTaken
        // Missing parts are transparent, even if the image has no alpha.
        let alpha = basics.alpha == .unused ? .straight : basics.alpha
        let pixels = try PixelBuffer(size: basics.size, isOpaque: false) { target, bytesPerRow in
            target.copyMemory(from: UnsafeRawBufferPointer(canvas.bytes))
            Canvas(target, bytesPerRow: bytesPerRow, size: basics.size)?.convertFromRGBA(alpha)
        }
        let image = try DecodedImage(
            stored: pixels, header: header, options: options, colors: colors, isPartial: true)
        return ImagePreview(image: image, isSufficient: isSufficient)
    }

    /// Whether further passes would hardly be visible: the last one has the resolution of the requested size.
    var isSufficient: Bool {
        if isWhole { return true }
        guard let coarseness, let header else { return false }
        let (target, whole) = (options.targetSize.size(for: header.size), header.size)
        return target.width * coarseness <= whole.width && target.height * coarseness <= whole.height
    }
}

/// The rows of a `PixelBuffer`, initially transparent.
private final class JXLCanvas {
    private let memory: ScratchMemory

    init(_ size: PixelSize) throws(ImageError) {
        let bytesPerRow = (size.width * 4 + 63) & ~63
        memory = try ScratchMemory(count: bytesPerRow * size.height, for: size)
        memory.bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    var bytes: UnsafeMutableRawBufferPointer { memory.bytes }
}
#endif
