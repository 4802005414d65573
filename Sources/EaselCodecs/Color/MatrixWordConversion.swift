import CEaselPixels

/// `MatrixConversion` for samples of 16 bits, of which lcms2 would make a coarse table.
struct MatrixWordConversion: Sendable {
    private static let steps = 4096

    /// The light of red, green and blue by value, one after the other.
    private let light: [Float]
    private let rows: [SIMD3<Float>]

    /// `nil` for profiles that need more than primaries and curves, or make no sense.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard source.isMatrix, let from = source.colorants, let to = target.colorants?.inverse,
            let light = source.light(count: Self.steps + 1)?.flatMap(\.self), light.allSatisfy({ $0.isFinite })
        else { return nil }
        self.light = light
        rows = (to * from).rows.map { SIMD3($0.map(Float.init)) }
        guard rows.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }) else { return nil }
    }

    /// The bytes that it takes.
    var byteCount: Int { light.count * MemoryLayout<Float>.stride }

    /// R, G, B, A in 16 bits to B, G, R; the fourth byte is undefined.
    func convert(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let color = Self.color(samples + x &* 4, light)
                let red = OutputCurve.value((color * rows[0]).sum())
                let green = OutputCurve.value((color * rows[1]).sum())
                let blue = OutputCurve.value((color * rows[2]).sum())
                pixels[x] = red << 16 | green << 8 | blue
            }
        }
    }

    /// R, G, B, A in 16 bits, where they are; alpha stays as it is.
    func convert(_ words: UnsafeMutablePointer<UInt16>, count: Int) {
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let color = Self.color(words + x &* 4, light)
                for channel in 0..<3 { words[x &* 4 &+ channel] = OutputCurve.word((color * rows[channel]).sum()) }
            }
        }
    }

    @inline(__always)
    private static func color(_ source: UnsafePointer<UInt16>, _ light: UnsafeBufferPointer<Float>) -> SIMD3<Float> {
        func amount(_ channel: Int) -> Float {
            let place = Float(source[channel]) * (Float(steps) / 65_535)
            let index = min(Int(place), steps - 1)
            let start = channel * (steps + 1) + index
            return light[start] + (light[start + 1] - light[start]) * (place - Float(index))
        }
        return SIMD3(amount(0), amount(1), amount(2))
    }
}
