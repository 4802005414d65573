import CLittleCMS
import EaselCore

@testable import EaselCodecs

/// ICC profiles created with lcms2, and reference conversions by lcms2.
enum Profiles {
    static func rgb(_ chromaticities: Chromaticities, exponent: Double) throws -> [UInt8] {
        var white = cmsCIExyY(x: chromaticities.white.x, y: chromaticities.white.y, Y: 1)
        func point(_ point: Chromaticities.Point) -> cmsCIExyY { cmsCIExyY(x: point.x, y: point.y, Y: 1) }
        var primaries = cmsCIExyYTRIPLE(
            Red: point(chromaticities.red), Green: point(chromaticities.green), Blue: point(chromaticities.blue))
        let curve = cmsBuildGamma(nil, exponent)
        defer { cmsFreeToneCurve(curve) }
        var curves: [OpaquePointer?] = [curve, curve, curve]
        return saved(cmsCreateRGBProfile(&white, &primaries, &curves))
    }

    static func gray(exponent: Double) -> [UInt8] {
        let curve = cmsBuildGamma(nil, exponent)
        defer { cmsFreeToneCurve(curve) }
        return saved(cmsCreateGrayProfile(cmsD50_xyY(), curve))
    }

    static let sRGB = saved(cmsCreate_sRGBProfile())

    /// Returns a profile with a table that mixes the channels unlike any matrix, for RGB or, with `inks`, for CMYK.
    static func table(inks: Bool) -> [UInt8] {
        let profile = cmsCreateProfilePlaceholder(nil)
        cmsSetProfileVersion(profile, 2.1)
        cmsSetDeviceClass(profile, cmsSigOutputClass)
        cmsSetColorSpace(profile, inks ? cmsSigCmykData : cmsSigRgbData)
        cmsSetPCS(profile, cmsSigLabData)
        let channels: UInt32 = inks ? 4 : 3
        let pipeline = cmsPipelineAlloc(nil, channels, 3)
        defer { cmsPipelineFree(pipeline) }
        let stage = cmsStageAllocCLut16bit(nil, 9, channels, 3, nil)
        let sampler: cmsSAMPLER16
        if inks {
            sampler = { input, output, _ in
                guard let input, let output else { return 0 }
                let light = (0..<3).map { (1 - Double(input[$0]) / 65_535) * (1 - Double(input[3]) / 65_535 * 0.9) }
                output[0] = UInt16((light[0] * 0.3 + light[1] * 0.5 + light[2] * 0.2) * 65_000)
                output[1] = UInt16(32_768 + (light[0] - light[1]) * 12_000)
                output[2] = UInt16(32_768 + (light[1] - light[2]) * 12_000)
                return 1
            }
        } else {
            sampler = { input, output, _ in
                guard let input, let output else { return 0 }
                let light = (0..<3).map { Double(input[$0]) / 65_535 }
                output[0] = UInt16((light[0] * light[0] * 0.3 + light[1] * 0.6 + light[2] * 0.1) * 65_000)
                output[1] = UInt16(32_768 + (light[0] - light[1]) * 15_000)
                output[2] = UInt16(32_768 + (light[1] - light[2]) * light[0] * 15_000)
                return 1
            }
        }
        cmsStageSampleCLut16bit(stage, sampler, nil, 0)
        cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, stage)
        cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline))
        cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ())
        return saved(profile)
    }

    /// Returns samples converted to sRGB by lcms2, as R, G, B.
    static func converted(_ samples: [UInt8], by profile: [UInt8], channels: Int, isInverted: Bool = false) -> [UInt8] {
        let source = cmsOpenProfileFromMem(profile, UInt32(profile.count))
        let target = cmsCreate_sRGBProfile()
        defer {
            cmsCloseProfile(source)
            cmsCloseProfile(target)
        }
        let space = [1: PT_GRAY, 3: PT_RGB, 4: PT_CMYK][channels] ?? PT_ANY
        let input = UInt32(space) << 16 | UInt32(channels) << 3 | 1 | (isInverted ? 1 << 13 : 0)
        let output = UInt32(PT_RGB) << 16 | 3 << 3 | 1
        let transform = cmsCreateTransform(
            source, input, target, output, UInt32(INTENT_RELATIVE_COLORIMETRIC),
            UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION))
        defer { cmsDeleteTransform(transform) }
        var result = [UInt8](repeating: 0, count: samples.count / channels * 3)
        cmsDoTransform(transform, samples, &result, UInt32(samples.count / channels))
        return result
    }

    static func saved(_ profile: cmsHPROFILE?) -> [UInt8] {
        defer { cmsCloseProfile(profile) }
        var count: UInt32 = 0
        cmsSaveProfileToMem(profile, nil, &count)
        var bytes = [UInt8](repeating: 0, count: Int(count))
        cmsSaveProfileToMem(profile, &bytes, &count)
        return bytes
    }
}

extension PixelBuffer {
    /// The stored R, G, B of every pixel.
    var samples: [UInt8] { pixels.flatMap { [$0.red, $0.green, $0.blue] } }
}
