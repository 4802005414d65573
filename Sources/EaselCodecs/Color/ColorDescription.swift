/// What a file says of its colours. A file may say several things: each coder picks the one that counts by the rules of
/// its format, and hands it to `DecodedImage.init(stored:header:options:colors:isPartial:)`, which converts.
enum ColorDescription: Sendable, Hashable {
    /// sRGB, or nothing at all, which everyone shows as sRGB.
    case sRGB
    /// An ICC profile.
    case profile(ICCProfile)
    /// Code points of ITU-T H.273: PNG's cICP, the `nclx` of AVIF and HEIC, the enumerated spaces of JPEG XL.
    case codePoints(CodePoints)
    /// Primaries and one exponent for all of them: PNG's cHRM and gAMA, EXIF's Adobe RGB.
    case power(Chromaticities, exponent: Double)

    /// Adobe RGB (1998), which EXIF names by its option file.
    static let adobeRGB = ColorDescription.power(.adobeRGB, exponent: 563.0 / 256)

    /// Whether it means sRGB for certain, told without building anything.
    var isSRGB: Bool {
        switch self {
        case .sRGB: true
        case .profile: false
        case .codePoints(let points): points.chromaticities == .sRGB && points.curve == .sRGB && !points.isHDR
        case .power(let chromaticities, let exponent):
            // 5 %, as libpng has it: writers round.
            chromaticities.isNear(.sRGB) && (exponent / 2.2 - 1).magnitude < 0.05
        }
    }
}
