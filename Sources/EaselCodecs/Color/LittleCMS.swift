import CEaselPixels
import CLittleCMS
import EaselCore

/// An lcms2 context for one conversion. Its errors do not reach the application's error handler.
final class LittleCMSContext {
    let handle: cmsContext

    init?() {
        guard let handle = cmsCreateContext(nil, nil) else { return nil }
        self.handle = handle
    }

    deinit { cmsDeleteContext(handle) }
}

/// A profile opened with lcms2.
final class LittleCMSProfile {
    let handle: cmsHPROFILE
    let context: LittleCMSContext

    /// - Parameter handle: a profile of `context`, which this object closes; `nil` returns `nil`.
    init?(_ handle: cmsHPROFILE?, in context: LittleCMSContext) {
        guard let handle else { return nil }
        self.handle = handle
        self.context = context
    }

    deinit { cmsCloseProfile(handle) }

    /// Opens a profile. lcms2 copies the bytes.
    convenience init?(_ profile: ICCProfile, in context: LittleCMSContext) {
        let count = UInt32(profile.bytes.count)
        self.init(cmsOpenProfileFromMemTHR(context.handle, profile.bytes, count), in: context)
        // Excludes device links, abstract profiles and named colors, which do not describe image samples.
        let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        guard classes.contains(cmsGetDeviceClass(handle)) else { return nil }
    }

    convenience init?(_ chromaticities: Chromaticities, _ curve: CodePoints.Curve, in context: LittleCMSContext) {
        guard chromaticities.isValid else { return nil }
        func coordinates(_ point: Chromaticities.Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        var white = coordinates(chromaticities.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: coordinates(chromaticities.red), Green: coordinates(chromaticities.green),
            Blue: coordinates(chromaticities.blue))
        let toneCurve =
            switch curve {
            // IEC 61966-2-1 as ICC's parametric function of type 3, which is type 4 in lcms2.
            case .sRGB:
                cmsBuildParametricToneCurve(context.handle, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            case .power(let exponent): cmsBuildGamma(context.handle, exponent)
            }
        guard let toneCurve else { return nil }
        defer { cmsFreeToneCurve(toneCurve) }
        var curves: [OpaquePointer?] = [toneCurve, toneCurve, toneCurve]
        self.init(cmsCreateRGBProfileTHR(context.handle, &white, &primaries, &curves), in: context)
    }

    /// Creates the profile of a target space.
    convenience init?(_ space: ColorSpace, in context: LittleCMSContext) {
        self.init(space == .displayP3 ? .displayP3 : .sRGB, .sRGB, in: context)
    }

    /// Creates the profile of a file's colors, HDR excluded.
    convenience init?(_ colors: ColorDescription, in context: LittleCMSContext) {
        switch colors {
        case .profile(let profile): self.init(profile, in: context)
        case .codePoints(let points): self.init(points.chromaticities, points.curve, in: context)
        case .power(let chromaticities, let exponent): self.init(chromaticities, .power(exponent), in: context)
        case .sRGB: self.init(.sRGB, .sRGB, in: context)
        }
    }

    var isGray: Bool { cmsGetColorSpace(handle) == cmsSigGrayData }

    /// Whether the profile has only primaries and curves. Tables take precedence over them.
    var isMatrix: Bool {
        let tables = [
            cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag,
            cmsSigDToB3Tag,
        ]
        return cmsGetColorSpace(handle) == cmsSigRgbData && cmsGetPCS(handle) == cmsSigXYZData
            && cmsIsMatrixShaper(handle) != 0 && !tables.contains { cmsIsTag(handle, $0) != 0 }
    }

    /// The three primaries in the connection space.
    var colorants: Matrix3? {
        let columns = [cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag].compactMap {
            cmsReadTag(handle, $0)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
        }
        return columns.count == 3 ? Matrix3(columns: columns.map { [$0.X, $0.Y, $0.Z] }) : nil
    }

    /// Returns the light of `count` values from 0 to 1 for each component; `nil` if a curve is missing.
    func light(count: Int) -> [[Float]]? {
        let curves = [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag].compactMap { cmsReadTag(handle, $0) }
        guard curves.count == 3 else { return nil }
        return curves.map { curve in
            (0..<count).map { cmsEvalToneCurveFloat(OpaquePointer(curve), Float($0) / Float(count - 1)) }
        }
    }
}

/// An lcms2 conversion, for profiles with tables, for gray, CMYK and 16 bits.
///
/// `@unchecked Sendable` is safe: the transform is immutable, and `cmsFLAGS_NOCACHE` disables lcms2's one-pixel cache.
final class ColorTransform: @unchecked Sendable {
    /// The memory layout of samples. Swift does not import lcms2's `TYPE_` macros.
    enum Layout {
        /// B, G, R and a byte that is not changed.
        case pixels
        /// R, G, B and a word that is not changed.
        case words
        /// C, M, Y, K. 255 is full ink, or none if inverted.
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

    /// Creates a relative colorimetric transform with black point compensation, like most viewers.
    init?(from source: LittleCMSProfile, _ layout: Layout, to target: LittleCMSProfile, _ output: Layout = .pixels) {
        var flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION)
        // Optimized curves are too coarse for 16 bits, and a table that is built once does not need them.
        if case .grayWords = layout { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        // Optimized tables are too coarse as well.
        if case .words = output { flags |= UInt32(cmsFLAGS_NOOPTIMIZE) }
        guard
            let handle = cmsCreateTransformTHR(
                source.context.handle, source.handle, layout.format, target.handle, output.format,
                UInt32(INTENT_RELATIVE_COLORIMETRIC), flags)
        else { return nil }
        self.handle = handle
        context = source.context
    }

    deinit { cmsDeleteTransform(handle) }

    /// The maximum size of a transform: lcms2 builds 16-bit tables of 33 steps for three components or 23 for four.
    var byteCount: Int { 1 << 20 }

    /// Converts `count` samples to B, G, R. The fourth byte of each pixel is unchanged. Samples of four bytes can be
    /// converted in place.
    func convert(_ samples: UnsafeRawPointer, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        cmsDoTransform(handle, samples, pixels, UInt32(count))
    }

    /// Converts `count` times four words to R, G, B. The fourth word of each pixel is unchanged. Works in place.
    func convertWords(_ samples: UnsafeRawPointer, to words: UnsafeMutablePointer<UInt16>, count: Int) {
        cmsDoTransform(handle, samples, words, UInt32(count))
    }

    /// Converts premultiplied pixels in place.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        easel_color_straighten(pixels, pixels, count)
        convert(UnsafeRawPointer(pixels), to: pixels, count: count)
        easel_color_premultiply(pixels, pixels, count)
    }
}
