import CEaselPixels
import CLittleCMS
import EaselCore

/// A conversion by lcms2, for profiles with tables, for gray, CMYK and 16 bits.
///
/// `@unchecked Sendable` is sound: the transform is not changed once it is made, and without lcms2's cache of one pixel
/// (`cmsFLAGS_NOCACHE`) it may be used from any number of threads.
final class ColorTransform: @unchecked Sendable {
    /// How samples lie in memory: `TYPE_` in lcms2, whose macros Swift does not see.
    enum Layout {
        /// B, G, R and a byte that is left alone.
        case pixels
        /// R, G, B and a word that is left alone.
        case words
        /// C, M, Y, K, of 255 for all ink or, inverted, for none.
        case inks(isInverted: Bool)
        case gray
        case grayWords
        /// The first of four words.
        case grayOfWords

        var format: UInt32 {
            func format(
                _ space: Int32, channels: UInt32, bytes: UInt32, extra: UInt32 = 0, flags: UInt32 = 0
            ) -> UInt32 {
                UInt32(space) << 16 | extra << 7 | channels << 3 | bytes | flags
            }
            let (minimumIsWhite, swapFirst, swap): (UInt32, UInt32, UInt32) = (1 << 13, 1 << 14, 1 << 10)
            return switch self {
            case .pixels: format(PT_RGB, channels: 3, bytes: 1, extra: 1, flags: swapFirst | swap)
            case .words: format(PT_RGB, channels: 3, bytes: 2, extra: 1)
            case .inks(let isInverted): format(PT_CMYK, channels: 4, bytes: 1, flags: isInverted ? minimumIsWhite : 0)
            case .gray: format(PT_GRAY, channels: 1, bytes: 1)
            case .grayWords: format(PT_GRAY, channels: 1, bytes: 2)
            case .grayOfWords: format(PT_GRAY, channels: 1, bytes: 2, extra: 3)
            }
        }
    }

    private let handle: cmsHTRANSFORM
    private let context: LittleCMSContext

    /// Relative to white, with black compensated for, as most viewers do.
    init?(
        from source: LittleCMSProfile, _ layout: Layout, to target: LittleCMSProfile, _ output: Layout = .pixels
    ) {
        var flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        // Joined curves would be too coarse for 16 bits, and are not needed for a table that is made once.
        if case .grayWords = layout { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        // So would tables be.
        if case .words = output { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        guard
            let handle = cmsCreateTransformTHR(
                source.context.handle, source.handle, layout.format, target.handle, output.format,
                UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        self.handle = handle
        context = source.context
    }

    deinit {
        cmsDeleteTransform(handle)
    }

    /// The most that lcms2 builds for a transform: 33 steps of three components, 23 of four, in words.
    var byteCount: Int { 1 << 20 }

    /// `count` samples to B, G, R; the fourth byte of each pixel is left as it is. Both may be the same place where both
    /// have four bytes.
    func convert(_ samples: UnsafeRawPointer, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        cmsDoTransform(handle, samples, pixels, UInt32(count))
    }

    /// `count` times four words to R, G, B; the fourth word of each is left as it is. Both may be the same place.
    func convertWords(_ samples: UnsafeRawPointer, to words: UnsafeMutablePointer<UInt16>, count: Int) {
        cmsDoTransform(handle, samples, words, UInt32(count))
    }

    /// Premultiplied pixels, where they are.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        easel_color_straighten(pixels, pixels, count)
        convert(UnsafeRawPointer(pixels), to: pixels, count: count)
        easel_color_premultiply(pixels, pixels, count)
    }
}
