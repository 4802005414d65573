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
