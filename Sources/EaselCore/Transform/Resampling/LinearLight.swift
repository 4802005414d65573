/// The curve of sRGB and Display P3 (IEC 61966-2-1), between 8-bit levels and light from 0 to 1.
struct LinearLight: Sendable {
    /// The light of each level.
    let lights: [Float]
    /// The nearest level to each of 65,536 lights: 20 of them make a level where the curve is steepest.
    private let levels: [UInt8]

    static let shared = LinearLight()

    private init() {
        lights = Self.exactLights.map { Float($0) }
        levels = (0...65_535).map { Self.nearestLevel(ofLight: Double($0) / 65_535) }
    }

    /// The light of each level in double precision.
    static let exactLights: [Double] = (0...255).map { light(ofLevel: Double($0) / 255) }

    static func light(ofLevel level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : ReproducibleMath.power((level + 0.055) / 1.055, 2.4)
    }

    static func level(ofLight light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * ReproducibleMath.power(light, 1 / 2.4) - 0.055
    }

    /// Returns the nearest 8-bit level; light out of range is cut off.
    static func nearestLevel(ofLight light: Double) -> UInt8 {
        UInt8((level(ofLight: light.bounded(0...1)) * 255).rounded())
    }

    /// The premultiplied pixel of a light, which the filter's overshoot may exceed.
    @inline(__always)
    func pixel(of light: SIMD4<Float>) -> UInt32 {
        let opacity = Swift.min(Swift.max(light.w, 0), 1)
        let alpha = UInt32(opacity * 255 + 0.5)
        guard alpha > 0 else { return 0 }
        if alpha == 255 {
            let color = level(light.x) | level(light.y) << 8 | level(light.z) << 16
            return 0xFF00_0000 | color
        }
        func premultiplied(_ light: Float) -> UInt32 { (level(light / opacity) &* alpha &+ 127) / 255 }
        let color = premultiplied(light.x) | premultiplied(light.y) << 8 | premultiplied(light.z) << 16
        return alpha << 24 | color
    }

    @inline(__always)
    private func level(_ light: Float) -> UInt32 {
        UInt32(levels[Int(Swift.min(Swift.max(light, 0), 1) * 65_535 + 0.5)])
    }
}
