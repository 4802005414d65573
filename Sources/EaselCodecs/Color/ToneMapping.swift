import CEaselPixels

/// HDR shown on a display of SDR: light of PQ and HLG (ITU-R BT.2100) with its highlights bent below white.
///
/// Light is counted so that 1 is HDR's reference white of 203 cd/m2 (BT.2408), which SDR's white stands for. The curve is the
/// EETF of BT.2390 5.4.1, from a peak of 1,000 cd/m2 to that white: shadows and skin stay as they are, and what is brighter
/// is compressed. It is applied to the largest of R, G, B, and the others keep their proportion to it, so that highlights
/// keep their hue (BT.2408 annex 5).
struct ToneMapping: Sendable {
    static let referenceWhite = 203.0
    /// What HDR is mastered for, and what HLG's nominal display has.
    static let peak = 1000.0
    private static let steps = 4096

    /// Light, or for HLG the scene's, by value.
    private let light: [Float]
    /// What to multiply light with, by the root of its share of the peak, so that the dark has more steps.
    private let scale: [Float]
    private let isHybridLogGamma: Bool
    private let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// - Parameter matrix: from light of the file's primaries to light of the target's.
    init(_ matrix: Matrix3, isHybridLogGamma: Bool) {
        func row(_ index: Int) -> SIMD3<Float> { SIMD3(matrix.rows[index].map(Float.init)) }
        rows = (row(0), row(1), row(2))
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
                ? Float(PerceptualQuantizer.compressed(light, from: Self.peak, to: Self.referenceWhite) / light) : 1
        }
    }

    /// The bytes that it takes.
    var byteCount: Int { (light.count + scale.count) * MemoryLayout<Float>.stride }

    /// Premultiplied pixels, where they are.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        easel_color_straighten(pixels, pixels, count)
        withTables { light, scale in
            for x in 0..<count {
                let pixel = pixels[x]
                func value(_ shift: UInt32) -> Float { Float(pixel >> shift & 0xFF) / 255 }
                pixels[x] = pixel & 0xFF00_0000 | mapped(SIMD3(value(16), value(8), value(0)), light, scale)
            }
        }
        easel_color_premultiply(pixels, pixels, count)
    }

    /// R, G, B, A in 16 bits to B, G, R; the fourth byte is undefined.
    func convertWords(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        withTables { light, scale in
            for x in 0..<count {
                let start = samples + x &* 4
                let values = SIMD3(Float(start[0]), Float(start[1]), Float(start[2])) / 65_535
                pixels[x] = mapped(values, light, scale)
            }
        }
    }

    private typealias Table = UnsafePointer<Float>

    /// Both have `steps + 1` numbers.
    private func withTables(_ body: (_ light: Table, _ scale: Table) -> Void) {
        light.withUnsafeBufferPointer { light in
            scale.withUnsafeBufferPointer { scale in
                guard let light = light.baseAddress, let scale = scale.baseAddress else { return }
                body(light, scale)
            }
        }
    }

    /// R, G, B from 0 to 1 to a pixel without alpha.
    @inline(__always)
    private func mapped(_ values: SIMD3<Float>, _ light: Table, _ scale: Table) -> UInt32 {
        var color = SIMD3(
            Self.look(values.x, up: light), Self.look(values.y, up: light), Self.look(values.z, up: light))
        if isHybridLogGamma { color *= HybridLogGamma.displayFactor(color) }
        let peak = Float(Self.peak / Self.referenceWhite)
        // What is brighter than the peak is cut to it, in proportion.
        let brightest = color.max()
        if brightest > peak { color *= peak / brightest }
        color *= Self.look((min(brightest, peak) / peak).squareRoot(), up: scale)
        let red = OutputCurve.value((color * rows.0).sum())
        let green = OutputCurve.value((color * rows.1).sum())
        let blue = OutputCurve.value((color * rows.2).sum())
        return red << 16 | green << 8 | blue
    }

    /// Between two steps of a table of `steps + 1`.
    @inline(__always)
    private static func look(_ value: Float, up table: Table) -> Float {
        let place = value * Float(steps)
        let index = min(Int(place), steps - 1)
        return table[index] + (table[index + 1] - table[index]) * (place - Float(index))
    }
}

// For powers, logarithms and exponentials alone, which FoundationEssentials does not have.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// From light to the values of sRGB, and of Display P3, which has the same curve (IEC 61966-2-1).
enum OutputCurve {
    /// The value, 0 to 255, of each amount of light from 0 to `EASEL_COLOR_ONE`.
    static let values: [UInt8] = {
        let one = Int(EASEL_COLOR_ONE)
        return (0...one).map { UInt8((encoded(Double($0) / Double(one)) * 255).rounded()) }
    }()

    /// The value of light, which is 1 for white; what lies outside is cut.
    @inline(__always)
    static func value(_ light: Float) -> UInt32 {
        UInt32(values[Int(min(max(light, 0), 1) * Float(EASEL_COLOR_ONE) + 0.5)])
    }

    /// The same in 16 bits. Between two steps the curve is straight, or nearly so.
    @inline(__always)
    static func word(_ light: Float) -> UInt16 {
        word(light, words)
    }

    /// The same for many: `words` has been asked for once.
    @inline(__always)
    static func word(_ light: Float, _ words: [Float]) -> UInt16 {
        let place = min(max(light, 0), 1) * Float(wordSteps)
        let index = min(Int(place), wordSteps - 1)
        return UInt16(words[index] + (words[index + 1] - words[index]) * (place - Float(index)) + 0.5)
    }

    private static let wordSteps = 1 << 14
    /// In 16 bits, of light from 0 to 1.
    static let words: [Float] = (0...wordSteps).map { Float(encoded(Double($0) / Double(wordSteps)) * 65_535) }

    /// From 0 to 1.
    private static func encoded(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// SMPTE ST 2084, as BT.2100 table 4 has it: values for absolute light.
enum PerceptualQuantizer {
    private static let m1 = 2610.0 / 16384
    private static let m2 = 2523.0 / 4096 * 128
    private static let c1 = 3424.0 / 4096
    private static let c2 = 2413.0 / 4096 * 32
    private static let c3 = 2392.0 / 4096 * 32

    /// In cd/m2, of a value from 0 to 1.
    static func light(_ value: Double) -> Double {
        let root = pow(value, 1 / m2)
        return 10_000 * pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
    }

    /// The value of light in cd/m2.
    static func value(_ light: Double) -> Double {
        let power = pow(light / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// The EETF of BT.2390 5.4.1 for displays whose black is 0: light in cd/m2, of up to `peak`, as light of up to `target`.
    /// Straight up to a knee, and from there a Hermite spline.
    static func compressed(_ light: Double, from peak: Double, to target: Double) -> Double {
        let most = value(target) / value(peak)
        let knee = 1.5 * most - 0.5
        let given = value(light) / value(peak)
        guard given > knee else { return light }
        let t = (given - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let result = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
        return self.light(result * value(peak))
    }
}

/// BT.2100 table 5: values for the light of a scene, which a display then shows by its brightness.
enum HybridLogGamma {
    private static let a = 0.17883277
    private static let b = 1 - 4 * a
    private static let c = 0.5 - a * log(4 * a)

    /// From 0 to 1, of a value from 0 to 1.
    static func sceneLight(_ value: Double) -> Double {
        value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }

    /// What makes a scene's light that of a display with a peak of 1,000 cd/m2, whose system gamma is 1.2, counted in
    /// reference whites.
    static func displayFactor(_ scene: SIMD3<Float>) -> Float {
        let luminance = (scene * SIMD3(0.2627, 0.6780, 0.0593)).sum()
        return Float(ToneMapping.peak / ToneMapping.referenceWhite) * pow(luminance, 0.2)
    }
}
