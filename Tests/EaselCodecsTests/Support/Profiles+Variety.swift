import CLittleCMS

@testable import EaselCodecs

/// Profiles of common kinds.
extension Profiles {
    /// Three colors and curves with an exponent, version 4.
    static let matrix = saved(screen(4.3))
    /// The same in version 2, with plain names and sampled curves.
    static let secondVersion = saved(screen(2.1))

    /// Returns a gray profile with a curve of `count` samples.
    static func sampledGray(_ count: Int) -> [UInt8] {
        let samples = (0..<count).map { UInt16($0 * $0 * 65_535 / (count * count)) }
        let curve = cmsBuildTabulatedToneCurve16(nil, UInt32(count), samples)
        defer { cmsFreeToneCurve(curve) }
        return saved(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    }

    /// Returns a profile with a name, or none.
    ///
    /// - Parameters:
    ///   - after: The number of letters before the name.
    ///   - before: The number of letters after the name.
    static func named(_ name: String?, after: Int = 0, before: Int = 0) -> [UInt8] {
        let profile = screen(4.3)
        for tag in [cmsSigCopyrightTag, cmsSigProfileDescriptionTag] { cmsWriteTag(profile, tag, nil) }
        write(text(after), to: profile, cmsSigCopyrightTag)
        if let name { write(name, to: profile, cmsSigProfileDescriptionTag) }
        write(text(before), to: profile, cmsSigDeviceModelDescTag)
        return saved(profile)
    }

    /// Returns letters with little repetition; libjxl refuses its own output for highly compressible profiles.
    private static func text(_ count: Int) -> String {
        String((0..<count / 4).map { "\($0 * 7919 % 9973) " }.joined().prefix(count))
    }

    private static func write(_ text: String, to profile: cmsHPROFILE?, _ tag: cmsTagSignature) {
        guard !text.isEmpty else { return }
        let texts = cmsMLUalloc(nil, 1)
        defer { cmsMLUfree(texts) }
        let units = text.unicodeScalars.map { wchar_t($0.value) } + [0]
        cmsMLUsetWide(texts, "en", "US", units)
        cmsWriteTag(profile, tag, UnsafeRawPointer(texts))
    }

    private static func screen(_ version: Double) -> cmsHPROFILE? {
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        var primaries = cmsCIExyYTRIPLE(
            Red: cmsCIExyY(x: 0.66, y: 0.32, Y: 1), Green: cmsCIExyY(x: 0.25, y: 0.68, Y: 1),
            Blue: cmsCIExyY(x: 0.15, y: 0.07, Y: 1))
        let curve = cmsBuildGamma(nil, 1.9)
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        let profile = cmsCreateRGBProfile(&white, &primaries, &curves)
        cmsSetProfileVersion(profile, version)
        return profile
    }
}
