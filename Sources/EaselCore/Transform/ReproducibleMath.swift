/// Functions that give the same bits on every machine: series of additions and multiplications, whose rounding IEEE 754
/// defines. The platforms' libraries differ in the last place.
enum ReproducibleMath {
    /// Returns sine and cosine of an angle in degrees, exact at the quarters of a turn.
    static func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
        guard degrees.isFinite else { return (0, 1) }
        var angle = degrees.truncatingRemainder(dividingBy: 360)
        if angle < 0 { angle += 360 }
        let quarter = (angle / 90).rounded(.down)
        let rest = angle - quarter * 90
        // The series converge fastest up to an eighth of a turn.
        var (sine, cosine) = firstEighth(rest <= 45 ? rest : 90 - rest)
        if rest > 45 { (sine, cosine) = (cosine, sine) }
        switch Int(quarter) {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// Returns `base` to the power of `exponent`, for a base that is not negative.
    static func power(_ base: Double, _ exponent: Double) -> Double {
        guard base > 0 else { return exponent == 0 ? 1 : 0 }
        let ofBase = Double(base.exponent) * naturalLogarithmOf2 + logarithm(ofSignificand: base.significand)
        let product = exponent * ofBase
        let twos = (product / naturalLogarithmOf2).rounded()
        guard abs(twos) < 1_000 else { return twos < 0 ? 0 : .greatestFiniteMagnitude }
        return exponential(product - twos * naturalLogarithmOf2)
            * Double(sign: .plus, exponent: Int(twos), significand: 1)
    }

    private static let naturalLogarithmOf2 = 0.693_147_180_559_945_3

    private static func firstEighth(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let angle = degrees * (Double.pi / 180)
        let square = angle * angle
        var (sine, cosine) = (0.0, 0.0)
        for step in (0...9).reversed() {
            let (first, second) = (Double(2 * step + 1), Double(2 * step + 2))
            cosine = 1 - square / (first * second) * cosine
            sine = 1 - square / (second * (second + 1)) * sine
        }
        return (sine * angle, cosine)
    }

    /// Returns the natural logarithm of a number from 1 up to 2: twice the inverse hyperbolic tangent of (m - 1) / (m +
    /// 1).
    private static func logarithm(ofSignificand significand: Double) -> Double {
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        var sum = 0.0
        for step in (0...17).reversed() { sum = sum * square + 1 / Double(2 * step + 1) }
        return 2 * ratio * sum
    }

    private static func exponential(_ exponent: Double) -> Double {
        var sum = 1.0
        for step in (1...20).reversed() { sum = 1 + exponent / Double(step) * sum }
        return sum
    }
}

extension Double {
    /// The text of the number in an identifier: the shortest that reads back as the number; whole numbers without a
    /// point, and no negative zero.
    var canonicalText: String { Int(exactly: self).map(String.init) ?? description }

    /// Returns the number within bounds, or the lower bound for NaN.
    func bounded(_ bounds: ClosedRange<Double>) -> Double {
        isNaN ? bounds.lowerBound : Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
    }
}
