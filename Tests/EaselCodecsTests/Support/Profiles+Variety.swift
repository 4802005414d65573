import CLittleCMS

@testable import EaselCodecs

/// Profiles of the kinds that images come with.
extension Profiles {
    /// Three colours and curves by their exponent, of version 4.
    static let matrix = saved(screen(4.3))
    /// The same of version 2, where names are plain and curves are sampled.
    static let secondVersion = saved(screen(2.1))

    /// A curve of so many places.
    static func sampledGray(_ count: Int) -> [UInt8] {
        let samples = (0..<count).map { UInt16($0 * $0 * 65_535 / (count * count)) }
        let curve = cmsBuildTabulatedToneCurve16(nil, UInt32(count), samples)
        defer { cmsFreeToneCurve(curve) }
        return saved(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    }

    /// With a name, or none.
    ///
    /// - Parameters:
    ///   - after: so many letters stand before the name.
    ///   - before: so many letters stand behind the name.
    static func named(_ name: String?, after: Int = 0, before: Int = 0) -> [UInt8] {
        let profile = screen(4.3)
        for tag in [cmsSigCopyrightTag, cmsSigProfileDescriptionTag] { cmsWriteTag(profile, tag, nil) }
        write(text(after), to: profile, cmsSigCopyrightTag)
        if let name { write(name, to: profile, cmsSigProfileDescriptionTag) }
        write(text(before), to: profile, cmsSigDeviceModelDescTag)
        return saved(profile)
    }

    /// Letters that repeat little, or libjxl refuses what it has compressed itself.
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
