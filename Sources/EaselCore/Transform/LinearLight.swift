/// The curve of sRGB and Display P3 (IEC 61966-2-1), between 8-bit levels and light.
struct LinearLight: Sendable {
    /// The light of each level, from 0 to 1: what `PixelKernels.addLight` takes.
    let lights: [Float]
    /// The nearest level to each of 65,536 lights: where the curve is steepest, 20 of them make a level.
    private let levels: [UInt8]

    /// The one that there is: made on first use.
    static let shared = LinearLight()

    private init() {
        lights = (0...255).map { Float(Self.light(ofLevel: Double($0) / 255)) }
        levels = (0...65_535).map { UInt8((Self.level(ofLight: Double($0) / 65_535) * 255).rounded()) }
    }

    static func light(ofLevel level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : ReproducibleMath.power((level + 0.055) / 1.055, 2.4)
    }

    static func level(ofLight light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * ReproducibleMath.power(light, 1 / 2.4) - 0.055
    }

    /// The premultiplied pixel of a light, which a filter's overshoot may have brought out of bounds.
    @inline(__always)
    func pixel(of light: SIMD4<Float>) -> UInt32 {
        let opacity = Swift.min(Swift.max(light.w, 0), 1)
        let alpha = UInt32((opacity * 255).rounded())
        guard alpha > 0 else { return 0 }
        let straight = (light / opacity).clamped(lowerBound: .zero, upperBound: .one)
        let places = SIMD4<Int32>(straight * 65_535, rounding: .toNearestOrEven)
        let color = SIMD4<UInt32>(
            UInt32(levels[Int(places.x)]), UInt32(levels[Int(places.y)]), UInt32(levels[Int(places.z)]), 255)
        let premultiplied = (color &* alpha &+ 127) / 255
        return premultiplied.x | premultiplied.y << 8 | premultiplied.z << 16 | premultiplied.w << 24
    }
}
