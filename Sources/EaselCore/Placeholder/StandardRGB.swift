/// The transfer function of sRGB (IEC 61966-2-1), the same on every machine.
enum StandardRGB {
    /// The linear light of each of the 256 levels.
    static let linear: [Double] = (0..<256).map { level in
        let value = Double(level) / 255
        return value <= 0.04045 ? value / 12.92 : ReproducibleMath.power((value + 0.055) / 1.055, 2.4)
    }

    /// The nearest level for linear light; what is out of range is cut off.
    static func level(of light: Double) -> UInt8 {
        let value = light.bounded(0...1)
        let encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * ReproducibleMath.power(value, 1 / 2.4) - 0.055
        return UInt8((encoded * 255 + 0.5).bounded(0...255))
    }
}
