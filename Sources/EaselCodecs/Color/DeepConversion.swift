import CLittleCMS
import EaselCore

/// Converts straight 16-bit R, G, B, A from the colors of a file to a `ColorSpace`, or HDR to BT.2020 PQ. More precise
/// and much slower than `ColorConversion`.
struct DeepConversion {
    private enum Kind {
        case nothing
        case matrix(MatrixWordConversion)
        case transform(ColorTransform)
        case highDynamicRange(DeepRangeConversion)
    }

    private let kind: Kind
    /// The color space of the result.
    let colors: DeepColors

    /// Invalid colors are treated as those of `space`, as in `ColorConversion`.
    init(_ description: ColorDescription, to space: ColorSpace) {
        let points = Self.highDynamicRange(description)
        if let points, space != .unconverted {
            colors = .perceptualQuantizer
            kind = DeepRangeConversion(points).map(Kind.highDynamicRange) ?? .nothing
            return
        }
        colors = .standard(space)
        kind = space == .unconverted || space == .sRGB && description.isSRGB ? .nothing : Self.kind(description, space)
    }

    private static func highDynamicRange(_ description: ColorDescription) -> CodePoints? {
        switch description {
        case .codePoints(let points): points.isHDR ? points : nil
        case .profile(let profile): profile.codePoints.flatMap { $0.isHDR ? $0 : nil }
        case .sRGB, .power: nil
        }
    }

    private static func kind(_ description: ColorDescription, _ space: ColorSpace) -> Kind {
        guard let context = LittleCMSContext(), let target = LittleCMSProfile(space, in: context) else {
            return .nothing
        }
        let source =
            switch description {
            case .profile(let profile): LittleCMSProfile(profile, in: context)
            case .codePoints(let points): LittleCMSProfile(points.chromaticities, points.curve, in: context)
            case .power(let chromaticities, let exponent):
                LittleCMSProfile(chromaticities, .power(exponent), in: context)
            case .sRGB: LittleCMSProfile(.sRGB, .sRGB, in: context)
            }
        guard let source else { return description == .sRGB || space == .sRGB ? .nothing : kind(.sRGB, space) }
        if let matrix = MatrixWordConversion(from: source, to: target) { return .matrix(matrix) }
        let isGray = cmsGetColorSpace(source.handle) == cmsSigGrayData
        let transform = ColorTransform(from: source, isGray ? .grayOfWords : .words, to: target, .words)
        return transform.map(Kind.transform) ?? .nothing
    }

    /// Converts pixels of four words in place. Alpha is unchanged.
    func convert(_ words: UnsafeMutableBufferPointer<UInt16>) {
        guard let start = words.baseAddress else { return }
        switch kind {
        case .nothing: break
        case .matrix(let matrix): matrix.convert(start, count: words.count / 4)
        case .transform(let transform):
            transform.convertWords(UnsafeRawPointer(start), to: start, count: words.count / 4)
        case .highDynamicRange(let range): range.convert(start, count: words.count / 4)
        }
    }
}

/// Converts HLG, and HDR with other primaries, to BT.2020 PQ (ITU-R BT.2100), up to 10,000 cd/m2.
struct DeepRangeConversion {
    private static let steps = 4096

    /// The light of each value, as a fraction of 10,000 cd/m2, or scene light for HLG; and the value of its fourth
    /// root.
    private let light: [Float]
    private let values: [Float]
    private let rows: [SIMD3<Float>]
    private let isHybridLogGamma: Bool

    /// Returns `nil` for BT.2020 PQ, which needs no conversion.
    init?(_ points: CodePoints) {
        let isHybridLogGamma = points.transfer == CodePoints.hybridLogGamma
        guard isHybridLogGamma || points.chromaticities != .bt2020 else { return nil }
        guard let context = LittleCMSContext(),
            let from = LittleCMSProfile(points.chromaticities, .power(1), in: context)?.colorants,
            let to = LittleCMSProfile(.bt2020, .power(1), in: context)?.colorants?.inverse
        else { return nil }
        self.isHybridLogGamma = isHybridLogGamma
        rows = (to * from).rows.map { SIMD3($0.map(Float.init)) }
        let shares = (0...Self.steps).map { Double($0) / Double(Self.steps) }
        light = shares.map {
            Float(isHybridLogGamma ? HybridLogGamma.sceneLight($0) : PerceptualQuantizer.light($0) / 10_000)
        }
        values = shares.map { Float(PerceptualQuantizer.value($0 * $0 * $0 * $0 * 10_000)) }
    }

    /// Converts pixels of four words in place.
    func convert(_ words: UnsafeMutablePointer<UInt16>, count: Int) {
        for x in 0..<count {
            let place = words + x &* 4
            var color = SIMD3<Float>(
                Self.look(Float(place[0]) / 65_535, up: light), Self.look(Float(place[1]) / 65_535, up: light),
                Self.look(Float(place[2]) / 65_535, up: light))
            if isHybridLogGamma {
                color *= HybridLogGamma.displayFactor(color) * Float(ToneMapping.referenceWhite / 10_000)
            }
            for channel in 0..<3 {
                let share = min(max((color * rows[channel]).sum(), 0), 1)
                let value = Self.look(share.squareRoot().squareRoot(), up: values)
                place[channel] = UInt16(min(max(value, 0), 1) * 65_535 + 0.5)
            }
        }
    }

    private static func look(_ value: Float, up table: [Float]) -> Float {
        let place = value * Float(steps)
        let index = min(Int(place), steps - 1)
        return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
    }
}
