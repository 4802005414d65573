import Foundation
import Testing

@testable import EaselCore

@Suite("Reproducible math")
struct ReproducibleMathTests {
    @Test("sine and cosine are accurate, and exact at multiples of 90 degrees")
    func trigonometry() {
        let errors = (-4_000...4_000).map { step in
            let degrees = Double(step) * 0.37
            let (sine, cosine) = ReproducibleMath.sineAndCosine(degrees: degrees)
            return max(abs(sine - sin(degrees * .pi / 180)), abs(cosine - cos(degrees * .pi / 180)))
        }
        #expect((errors.max() ?? 1) < 1e-13)
        for (degrees, sine, cosine) in [(0.0, 0.0, 1.0), (90, 1, 0), (180, 0, -1), (270, -1, 0), (-90, -1, 0)] {
            let values = ReproducibleMath.sineAndCosine(degrees: degrees)
            #expect(values.sine == sine && values.cosine == cosine)
        }
    }

    @Test("powers are accurate")
    func powers() {
        var largest = 0.0
        for step in 1...500 {
            for exponent: Double in [1 / 2.4, 2.4, 0.01, 100, -1.5] {
                let base = Double(step) / 255
                let expected = pow(base, exponent)
                largest = max(largest, abs(ReproducibleMath.power(base, exponent) - expected) / expected)
            }
        }
        #expect(largest < 1e-12)
        #expect(ReproducibleMath.power(0, 2.4) == 0 && ReproducibleMath.power(0, 0) == 1)
    }
}
