import CEaselPixels
import EaselCore
import EaselFoundation

/// A tone mapping of HDR for SDR displays: light of PQ and HLG (ITU-R BT.2100), with highlights compressed below white.
///
/// A light of 1 is HDR's reference white of 203 cd/m2 (BT.2408), which maps to SDR white. The curve is the EETF of
/// BT.2390 5.4.1, from a peak of 1,000 cd/m2 to that white: shadows and skin tones are unchanged, and brighter light is
/// compressed. The curve is applied to the largest of R, G, B, and the others keep their ratio to it, which preserves
/// the hue of highlights (BT.2408 annex 5).
struct ToneMapping: Sendable {
    static let referenceWhite = 203.0
    /// The peak of common HDR masters, and of HLG's nominal display.
    static let peak = 1000.0
    private static let steps = 4096

    /// The light of each value; scene light for HLG.
    private let light: [Float]
    /// The factor for light, by the square root of its fraction of the peak, which gives dark tones more steps.
    private let scale: [Float]
    private let isHybridLogGamma: Bool
    private let matrix: LightMatrix

    /// - Parameter matrix: converts light of the file's primaries to light of the target's.
    init(_ matrix: Matrix3, isHybridLogGamma: Bool) {
        self.matrix = LightMatrix(matrix)
        self.isHybridLogGamma = isHybridLogGamma
        let steps = (0...Self.steps).map { Double($0) / Double(Self.steps) }
        light = steps.map { value in
            Float(
                isHybridLogGamma
                    ? HybridLogGamma.sceneLight(value) : PerceptualQuantizer.light(value) / Self.referenceWhite)
        }
        scale = steps.map { root in
            let light = root * root * Self.peak
            return light > 0
                ? Float(PerceptualQuantizer.compress(light, from: Self.peak, to: Self.referenceWhite) / light) : 1
        }
    }

    var byteCount: Int { (light.count + scale.count) * MemoryLayout<Float>.stride }

    /// Converts premultiplied pixels in place.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        easel_color_straighten(pixels, pixels, count)
        withTables { light, scale in
            for x in 0..<count {
                let pixel = pixels[x]
                func value(_ shift: UInt32) -> Float { Float(pixel >> shift & 0xFF) / 255 }
                pixels[x] = pixel & 0xFF00_0000 | toneMap(SIMD3(value(16), value(8), value(0)), light, scale)
            }
        }
        easel_color_premultiply(pixels, pixels, count)
    }

    /// Converts 16-bit R, G, B, A to B, G, R. The fourth byte is undefined.
    func convertWords(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        withTables { light, scale in
            for x in 0..<count {
                let start = samples + x &* 4
                let values = SIMD3(Float(start[0]), Float(start[1]), Float(start[2])) / 65_535
                pixels[x] = toneMap(values, light, scale)
            }
        }
    }

    private typealias Table = UnsafeBufferPointer<Float>

    private func withTables(_ body: (_ light: Table, _ scale: Table) -> Void) {
        light.withUnsafeBufferPointer { light in scale.withUnsafeBufferPointer { scale in body(light, scale) } }
    }

    /// Returns the pixel for R, G, B from 0 to 1, without alpha.
    @inline(__always)
    private func toneMap(_ values: SIMD3<Float>, _ light: Table, _ scale: Table) -> UInt32 {
        var color = SIMD3(
            light.interpolated(at: values.x), light.interpolated(at: values.y), light.interpolated(at: values.z))
        if isHybridLogGamma { color *= HybridLogGamma.displayFactor(color) }
        let peak = Float(Self.peak / Self.referenceWhite)
        // Scales light above the peak down to it.
        let brightest = color.max()
        if brightest > peak { color *= peak / brightest }
        color *= scale.interpolated(at: (min(brightest, peak) / peak).squareRoot())
        return OutputCurve.pixel(matrix.applied(to: color))
    }
}

extension RandomAccessCollection<Float> where Index == Int {
    /// Interpolates linearly in a table for values from 0 to 1.
    @inline(__always)
    func interpolated(at value: Float) -> Float {
        let position = value * Float(count - 1)
        let index = Swift.min(Int(position), count - 2)
        return self[index] + (self[index + 1] - self[index]) * (position - Float(index))
    }
}

/// The transfer curve of sRGB, which Display P3 shares (IEC 61966-2-1).
enum OutputCurve {
    /// The value from 0 to 255 for each amount of light from 0 to `EASEL_COLOR_ONE`.
    static let values: [UInt8] = {
        let one = Int(EASEL_COLOR_ONE)
        return (0...one).map { UInt8((encode(Double($0) / Double(one)) * 255).rounded()) }
    }()

    /// Returns the 8-bit value of light, which is 1 for white. Clamps light out of range.
    @inline(__always)
    static func value(_ light: Float) -> UInt32 {
        UInt32(values[Int(min(max(light, 0), 1) * Float(EASEL_COLOR_ONE) + 0.5)])
    }

    /// Returns the pixel of light, without alpha.
    @inline(__always)
    static func pixel(_ color: SIMD3<Float>) -> UInt32 { value(color.x) << 16 | value(color.y) << 8 | value(color.z) }

    /// Returns the 16-bit value of light. A loop reads `words` once and passes it.
    @inline(__always)
    static func word(_ light: Float, _ words: [Float]) -> UInt16 {
        UInt16(words.interpolated(at: min(max(light, 0), 1)) + 0.5)
    }

    /// The 16-bit values of light from 0 to 1.
    static let words: [Float] = (0...(1 << 14)).map { Float(encode(Double($0) / Double(1 << 14)) * 65_535) }

    /// Returns the value, 0 to 1, of light.
    private static func encode(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// The PQ curve of SMPTE ST 2084 (BT.2100 table 4), for absolute light.
enum PerceptualQuantizer {
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    /// Returns the light in cd/m2 of a value from 0 to 1.
    static func light(_ value: Double) -> Double {
        let root = pow(value, 1 / m2)
        return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// Returns the value of light in cd/m2.
    static func value(_ light: Double) -> Double {
        let power = pow(light / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// The 16-bit values of light from 0 to 10,000 cd/m2, by the fourth root of its fraction.
    static let words: [Float] = (0...4096).map { step in
        let root = Double(step) / 4096
        return Float(value(root * root * root * root * 10_000) * 65_535)
    }

    /// Returns the 16-bit value of light, a fraction of 10,000 cd/m2. A loop reads `words` once and passes it.
    @inline(__always)
    static func word(_ light: Float, _ words: [Float]) -> UInt16 {
        // Also 0 for what is not a number.
        let share = light > 0 ? min(light, 1) : 0
        return UInt16(words.interpolated(at: share.squareRoot().squareRoot()) + 0.5)
    }

    /// Returns light of up to `peak` compressed to at most `target`, both in cd/m2, by the EETF of BT.2390 5.4.1 for
    /// displays with a black of 0. Linear up to a knee, then a Hermite spline.
    static func compress(_ light: Double, from peak: Double, to target: Double) -> Double {
        let maximum = value(target) / value(peak)
        let knee = 1.5 * maximum - 0.5
        let relative = value(light) / value(peak)
        guard relative > knee else { return light }
        let t = (relative - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let result = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maximum
        return self.light(result * value(peak))
    }
}

/// The HLG curve of BT.2100 table 5, for scene light, which displays show relative to their brightness.
enum HybridLogGamma {
    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)

    /// Returns the scene light, 0 to 1, of a value from 0 to 1.
    static func sceneLight(_ value: Double) -> Double {
        value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }

    /// Returns display light, in reference whites, divided by scene light, for a peak of 1,000 cd/m2 and a system gamma
    /// of 1.2.
    static func displayFactor(_ scene: SIMD3<Float>) -> Float {
        let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return Float(ToneMapping.peak / ToneMapping.referenceWhite) * pow(luminance, 0.2)
    }
}

/// A conversion of straight 16-bit R, G, B, A from the colors of a file to a `ColorSpace`, or HDR to BT.2020 PQ. More
/// precise and much slower than `ColorConversion`.
struct DeepConversion {
    private enum Kind {
        case identity
        case matrix(MatrixWordConversion)
        case transform(ColorTransform)
        case highDynamicRange(DeepRangeConversion)
    }

    private let kind: Kind
    /// The color space of the result.
    let colors: DeepColors

    /// Invalid colors are treated as those of `space`, as in `ColorConversion`.
    init(_ description: ColorDescription, to space: ColorSpace) {
        if let points = description.highDynamicRange, space != .unconverted {
            colors = .perceptualQuantizer
            kind = DeepRangeConversion(points).map(Kind.highDynamicRange) ?? .identity
            return
        }
        colors = .standard(space)
        kind = space == .unconverted || space == .sRGB && description.isSRGB ? .identity : Self.kind(description, space)
    }

    private static func kind(_ description: ColorDescription, _ space: ColorSpace) -> Kind {
        guard let context = LittleCMSContext(), let target = LittleCMSProfile(space, in: context) else {
            return .identity
        }
        guard let source = LittleCMSProfile(description, in: context) else {
            return description == .sRGB || space == .sRGB ? .identity : kind(.sRGB, space)
        }
        if let matrix = MatrixWordConversion(from: source, to: target) { return .matrix(matrix) }
        let transform = ColorTransform(from: source, source.isGray ? .grayOfWords : .words, to: target, .words)
        return transform.map(Kind.transform) ?? .identity
    }

    /// Converts pixels of four words in place. Alpha is unchanged.
    func convert(_ words: UnsafeMutableBufferPointer<UInt16>) {
        guard let start = words.baseAddress else { return }
        switch kind {
        case .identity: break
        case .matrix(let matrix): matrix.convert(start, count: words.count / 4)
        case .transform(let transform):
            transform.convertWords(UnsafeRawPointer(start), to: start, count: words.count / 4)
        case .highDynamicRange(let range): range.convert(start, count: words.count / 4)
        }
    }
}

/// A conversion of HLG, and HDR with other primaries, to BT.2020 PQ (ITU-R BT.2100), up to 10,000 cd/m2.
struct DeepRangeConversion {
    private static let steps = 4096

    /// The light of each value, as a fraction of 10,000 cd/m2, or scene light for HLG.
    private let light: [Float]
    private let matrix: LightMatrix
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
        matrix = LightMatrix(to * from)
        let shares = (0...Self.steps).map { Double($0) / Double(Self.steps) }
        light = shares.map {
            Float(isHybridLogGamma ? HybridLogGamma.sceneLight($0) : PerceptualQuantizer.light($0) / 10_000)
        }
    }

    /// Converts pixels of four words in place.
    func convert(_ words: UnsafeMutablePointer<UInt16>, count: Int) {
        let output = PerceptualQuantizer.words
        for x in 0..<count {
            let pixel = words + x &* 4
            var color = SIMD3(
                light.interpolated(at: Float(pixel[0]) / 65_535), light.interpolated(at: Float(pixel[1]) / 65_535),
                light.interpolated(at: Float(pixel[2]) / 65_535))
            if isHybridLogGamma {
                color *= HybridLogGamma.displayFactor(color) * Float(ToneMapping.referenceWhite / 10_000)
            }
            color = matrix.applied(to: color)
            for channel in 0..<3 { pixel[channel] = PerceptualQuantizer.word(color[channel], output) }
        }
    }
}
