#if JXL
import CJXL
import EaselCore

/// Functions that select the colors of a JPEG XL, after libjxl has parsed them.
enum JXLColor {
    /// Returns the name of the default profile: that in the file, or one that libjxl generates from enumerated values.
    static func profileName(_ decoder: OpaquePointer) -> String? {
        if let name = encoding(decoder, JXL_COLOR_PROFILE_TARGET_DATA)?.numbers.name { return name }
        return profile(decoder, JXL_COLOR_PROFILE_TARGET_DATA).flatMap { ICCProfileName.read(from: $0.span) }
    }

    /// Requests the preferred colors if libjxl can convert to them, and returns the resulting color space. HDR is not
    /// converted, since libjxl would clip it to sRGB.
    static func choose(_ decoder: OpaquePointer, _ basics: JXLBasics, _ space: ColorSpace) -> ColorDescription {
        let points = encoding(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL)?.codePoints
        if let points, points.isHDR {
            if basics.supportsColorConversion, var preferred = encoding(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL) {
                JxlDecoderSetPreferredColorProfile(decoder, &preferred)
            }
            return .codePoints(points)
        }
        if basics.supportsColorConversion, space != .unconverted {
            var preferred = JxlColorEncoding()
            JxlColorEncodingSetToSRGB(&preferred, basics.isGray ? 1 : 0)
            if space == .displayP3, !basics.isGray { preferred.primaries = JXL_PRIMARIES_P3 }
            JxlDecoderSetPreferredColorProfile(decoder, &preferred)
        }
        let result = encoding(decoder, JXL_COLOR_PROFILE_TARGET_DATA)?.codePoints
        if result == CodePoints(primaries: 1, transfer: 13) { return .sRGB }
        if result == .displayP3 { return .codePoints(.displayP3) }
        return profile(decoder, JXL_COLOR_PROFILE_TARGET_DATA)
            .flatMap { ICCProfile($0, for: basics.isGray ? .gray : .rgb) }.map(ColorDescription.profile) ?? .sRGB
    }

    private static func encoding(_ decoder: OpaquePointer, _ target: JxlColorProfileTarget) -> JxlColorEncoding? {
        var encoding = JxlColorEncoding()
        return easel_jxl_get_encoding(decoder, target, &encoding) == JXL_DEC_SUCCESS ? encoding : nil
    }

    private static func profile(_ decoder: OpaquePointer, _ target: JxlColorProfileTarget) -> [UInt8]? {
        var count = 0
        guard easel_jxl_get_profile_size(decoder, target, &count) == JXL_DEC_SUCCESS, count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return easel_jxl_get_profile(decoder, target, &bytes, count) == JXL_DEC_SUCCESS ? bytes : nil
    }
}

extension JxlColorEncoding {
    fileprivate var numbers: JXLColorNumbers {
        let isPower = transfer_function == JXL_TRANSFER_FUNCTION_GAMMA
        return JXLColorNumbers(
            space: Int(color_space.rawValue), white: Int(white_point.rawValue),
            primaries: color_space == JXL_COLOR_SPACE_GRAY ? JXLColorNumbers.sRGB.primaries : Int(primaries.rawValue),
            curve: isPower ? .power(Int((gamma * 1e7).rounded())) : .number(Int(transfer_function.rawValue)),
            intent: Int(rendering_intent.rawValue))
    }

    /// The H.273 code points, which JPEG XL extends; `nil` for a white point other than D65, and for gray.
    fileprivate var codePoints: CodePoints? {
        guard color_space == JXL_COLOR_SPACE_RGB, white_point == JXL_WHITE_POINT_D65 else { return nil }
        let primaries = primaries == JXL_PRIMARIES_P3 ? 12 : Int(primaries.rawValue)
        return CodePoints(primaries: primaries, transfer: Int(transfer_function.rawValue))
    }
}

/// The enumerated colors of a JPEG XL without an ICC profile.
struct JXLColorNumbers: Equatable {
    /// The color space: 0 RGB, 1 gray.
    var space: Int
    /// The white point: 1 D65, 10 E, 11 DCI, 2 custom.
    var white: Int
    /// The primaries: 1 sRGB, 9 BT.2100, 11 P3, 2 custom.
    var primaries: Int
    /// The transfer function: an H.273 code point, or an exponent in units of 1e-7.
    var curve: Curve
    /// The rendering intent: 0 perceptual, 1 relative, 2 saturation, 3 absolute.
    var intent: Int

    enum Curve: Equatable {
        case number(Int)
        case power(Int)
    }

    static let sRGB = JXLColorNumbers(space: 0, white: 1, primaries: 1, curve: .number(13), intent: 1)

    /// The name of the profile that libjxl generates, or `sRGB`; `nil` for custom coordinates. Computed here, since the
    /// names differ between versions of libjxl.
    var name: String? {
        var named = self
        named.intent = Self.sRGB.intent
        if named == .sRGB { return "sRGB" }
        guard let space = [0: "RGB", 1: "Gra"][space], let white = [1: "D65", 10: "EER", 11: "DCI"][white],
            let intent = [0: "Per", 1: "Rel", 2: "Sat", 3: "Abs"][intent], let curve = curveName
        else { return nil }
        if self.space == 1 { return [space, white, intent, curve].joined(separator: "_") }
        guard let primaries = [1: "SRG", 9: "202", 11: "DCI"][primaries] else { return nil }
        return [space, white, primaries, intent, curve].joined(separator: "_")
    }

    private var curveName: String? {
        switch curve {
        case .number(let number):
            return [1: "709", 8: "Lin", 13: "SRG", 16: "PeQ", 17: "DCI", 18: "HLG"][number]
        case .power(let power):
            guard power > 0, power < 10_000_000 else { return power == 10_000_000 ? "g1" : nil }
            var digits = String(10_000_000 + power).dropFirst()
            while digits.last == "0" { digits.removeLast() }
            return "g0.\(digits)"
        }
    }
}
#endif
