import CLittleCMS
import EaselCore

extension ColorConversion {
    /// Builds a conversion. Invalid colors are treated as sRGB: an image is not rejected for its profile.
    static func build(_ colors: ColorDescription, to space: ColorSpace, of samples: Samples) -> ColorConversion? {
        guard let context = LittleCMSContext(), let target = LittleCMSProfile(space, in: context) else { return nil }
        let kind =
            switch colors {
            case .profile(let profile): kind(of: profile, to: target, of: samples)
            case .codePoints(let points): kind(of: points, to: target, of: samples)
            case .power(let chromaticities, let exponent):
                kind(from: LittleCMSProfile(chromaticities, .power(exponent), in: context), to: target, of: samples)
            case .sRGB: kind(from: LittleCMSProfile(.sRGB, in: context), to: target, of: samples)
            }
        if let kind { return ColorConversion(kind: kind).unlessNothingChanges(of: samples) }
        if case .inks = samples { return nil }
        return colors == .sRGB || space == .sRGB ? nil : build(.sRGB, to: space, of: samples)
    }

    private static func kind(of profile: ICCProfile, to target: LittleCMSProfile, of samples: Samples) -> Kind? {
        // An HDR profile can contain code points (ICC.1:2022, 9.2.17). Its curves alone would make the image too dark.
        if let points = profile.codePoints, points.isHDR { return kind(of: points, to: target, of: samples) }
        return kind(from: LittleCMSProfile(profile, in: target.context), to: target, of: samples)
    }

    private static func kind(of points: CodePoints, to target: LittleCMSProfile, of samples: Samples) -> Kind? {
        let curve: CodePoints.Curve = points.isHDR ? .power(1) : points.curve
        guard let source = LittleCMSProfile(points.chromaticities, curve, in: target.context) else { return nil }
        guard points.isHDR else { return kind(from: source, to: target, of: samples) }
        guard let from = source.colorants, let to = target.colorants?.inverse else { return nil }
        return .toneMapping(ToneMapping(to * from, isHybridLogGamma: points.transfer == CodePoints.hybridLogGamma))
    }

    private static func kind(
        from source: LittleCMSProfile?, to target: LittleCMSProfile, of samples: Samples
    ) -> Kind? {
        guard let source else { return nil }
        let isGray = cmsGetColorSpace(source.handle) == cmsSigGrayData
        switch samples {
        case .pixels:
            if isGray { return grayTable(from: source, .gray, to: target).map(Kind.gray) }
            if let matrix = MatrixConversion(from: source, to: target) { return .matrix(matrix) }
            return ColorTransform(from: source, .pixels, to: target).map(Kind.transform)
        case .words:
            if isGray { return grayTable(from: source, .grayWords, to: target).map(Kind.gray) }
            if let matrix = MatrixWordConversion(from: source, to: target) { return .wordMatrix(matrix) }
            return ColorTransform(from: source, .words, to: target).map(Kind.transform)
        case .inks(let isInverted):
            return ColorTransform(from: source, .inks(isInverted: isInverted), to: target).map(Kind.transform)
        }
    }

    /// Returns the result for each gray. It stays gray, so one component suffices.
    private static func grayTable(
        from source: LittleCMSProfile, _ layout: ColorTransform.Layout, to target: LittleCMSProfile
    ) -> [UInt8]? {
        guard let transform = ColorTransform(from: source, layout, to: target) else { return nil }
        func values(_ grays: [some FixedWidthInteger]) -> [UInt8] {
            var pixels = [UInt32](repeating: 0, count: grays.count)
            grays.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                pixels.withUnsafeMutableBufferPointer { pixels in
                    if let target = pixels.baseAddress { transform.convert(start, to: target, count: pixels.count) }
                }
            }
            return pixels.map { UInt8(truncatingIfNeeded: $0 >> 8) }
        }
        if case .grayWords = layout { return values(Array(UInt16.min ... .max)) }
        return values(Array(UInt8.min ... .max))
    }

    /// Returns `nil` for variants of sRGB, for which no 8-bit component changes by more than 1. That is less than the
    /// variants differ from each other through rounding.
    private func unlessNothingChanges(of samples: Samples) -> ColorConversion? {
        var results = Self.probes
        results.withUnsafeMutableBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            switch samples {
            case .pixels: convert(start, count: pixels.count)
            case .words: convertWords(Self.wordProbes, to: start, count: pixels.count)
            case .inks: pixels.update(repeating: 0)
            }
        }
        // The grays come first; a gray image has no other colors.
        var count = results.count
        if case .gray = kind { count = 256 }
        let isNear = (0..<count).allSatisfy { index in
            stride(from: 0, to: 24, by: 8).allSatisfy { shift in
                abs(Int(Self.probes[index] >> shift & 0xFF) - Int(results[index] >> shift & 0xFF)) <= 1
            }
        }
        return isNear ? nil : self
    }

    /// The probes as 16-bit R, G, B, A.
    private static let wordProbes = probes.flatMap { probe in
        [16, 8, 0, 24].map { UInt16(truncatingIfNeeded: probe >> UInt32($0) & 0xFF) * 257 }
    }

    /// All grays, and colors across the whole cube.
    private static let probes: [UInt32] = {
        let grays = (0..<256).map { 0xFF00_0000 | UInt32($0) * 0x01_0101 }
        let steps: [UInt32] = [0, 1, 8, 24, 51, 102, 153, 204, 230, 255]
        let colors = steps.flatMap { red in
            steps.flatMap { green in steps.map { 0xFF00_0000 | red << 16 | green << 8 | $0 } }
        }
        return grays + colors
    }()
}
