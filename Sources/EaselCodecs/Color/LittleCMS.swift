import CLittleCMS
import EaselCore

/// lcms2's state for one conversion. Its own, so that an error handler that the application sets is not called for what a
/// hostile profile does: by default a context tells nobody.
final class LittleCMSContext {
    let handle: cmsContext

    init?() {
        guard let handle = cmsCreateContext(nil, nil) else { return nil }
        self.handle = handle
    }

    deinit {
        cmsDeleteContext(handle)
    }
}

/// A profile as lcms2 holds it.
final class LittleCMSProfile {
    let handle: cmsHPROFILE
    let context: LittleCMSContext

    /// - Parameter handle: a profile of `context`, which this value closes; `nil` gives `nil`.
    init?(_ handle: cmsHPROFILE?, in context: LittleCMSContext) {
        guard let handle else { return nil }
        self.handle = handle
        self.context = context
    }

    deinit {
        cmsCloseProfile(handle)
    }

    /// lcms2 copies the bytes.
    convenience init?(_ profile: ICCProfile, in context: LittleCMSContext) {
        let count = UInt32(profile.bytes.count)
        self.init(cmsOpenProfileFromMemTHR(context.handle, profile.bytes, count), in: context)
        // Links between devices, abstract effects and named colours are not what a picture's numbers mean.
        let classes = [cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass]
        guard classes.contains(cmsGetDeviceClass(handle)) else { return nil }
    }

    convenience init?(
        _ chromaticities: Chromaticities, _ curve: CodePoints.Curve, in context: LittleCMSContext
    ) {
        guard chromaticities.isSound else { return nil }
        func coordinates(_ point: Chromaticities.Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        var white = coordinates(chromaticities.white)
        var primaries = cmsCIExyYTRIPLE(
            Red: coordinates(chromaticities.red), Green: coordinates(chromaticities.green),
            Blue: coordinates(chromaticities.blue))
        let toneCurve =
            switch curve {
            // IEC 61966-2-1, as ICC's parametric function of type 3, which lcms2 counts as 4.
            case .sRGB:
                cmsBuildParametricToneCurve(context.handle, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
            case .power(let exponent): cmsBuildGamma(context.handle, exponent)
            }
        guard let toneCurve else { return nil }
        defer { cmsFreeToneCurve(toneCurve) }
        var curves: [OpaquePointer?] = [toneCurve, toneCurve, toneCurve]
        self.init(cmsCreateRGBProfileTHR(context.handle, &white, &primaries, &curves), in: context)
    }

    /// The profile of a space that pixels are converted to.
    convenience init?(_ space: ColorSpace, in context: LittleCMSContext) {
        self.init(space == .displayP3 ? .displayP3 : .sRGB, .sRGB, in: context)
    }

    /// Whether primaries and curves are all that there is: tables, where there are some, come before them.
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
        func column(_ tag: cmsTagSignature) -> [Double]? {
            let value = cmsReadTag(handle, tag)?.assumingMemoryBound(to: cmsCIEXYZ.self).pointee
            return value.map { [$0.X, $0.Y, $0.Z] }
        }
        guard let red = column(cmsSigRedColorantTag), let green = column(cmsSigGreenColorantTag),
            let blue = column(cmsSigBlueColorantTag)
        else { return nil }
        return Matrix3(columns: [red, green, blue])
    }

    /// The light of `count` values from 0 to 1 of each component; `nil` where a curve is missing.
    func light(count: Int) -> [[Float]]? {
        var channels: [[Float]] = []
        for tag in [cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag] {
            guard let curve = cmsReadTag(handle, tag) else { return nil }
            channels.append(
                (0..<count).map { cmsEvalToneCurveFloat(OpaquePointer(curve), Float($0) / Float(count - 1)) })
        }
        return channels
    }
}
