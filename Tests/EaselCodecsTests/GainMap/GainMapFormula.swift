import EaselCore
import Foundation

/// The formula of ISO 21496-1, in double precision, for the primaries and the curve of sRGB or Display P3.
struct GainMapFormula {
    var parameters: GainMap.Parameters
    var weight = 1.0
    /// Light of the base image to light of BT.2020 (ITU-R BT.2087, SMPTE EG 432-1).
    var matrix = Self.sRGB

    static let sRGB = [
        [0.627403896, 0.329283038, 0.043313066], [0.069097289, 0.919540395, 0.011362316],
        [0.016391439, 0.088013308, 0.895595253],
    ]
    static let displayP3 = [
        [0.753833034, 0.198597369, 0.047569597], [0.045743849, 0.941777220, 0.012478931],
        [-0.001210340, 0.017601717, 0.983608623],
    ]

    /// Returns the 16-bit PQ values of a pixel, with SDR white at 203 cd/m2.
    func words(base: [Double], gain: [Double]) -> [Double] { words(light: base.map(Self.light), gain: gain) }

    /// Returns the 16-bit PQ values for light of the base image.
    func words(light: [Double], gain: [Double]) -> [Double] {
        let light = (0..<3).map { channel in
            let share = pow(gain[channel], 1 / parameters.gamma[channel])
            let stops = parameters.minimum[channel] * (1 - share) + parameters.maximum[channel] * share
            return (light[channel] + parameters.baseOffset[channel]) * pow(2, stops * weight)
                - parameters.alternateOffset[channel]
        }
        return Self.words(light: light, matrix)
    }

    /// Returns the 16-bit PQ values of light.
    static func words(light: [Double], _ matrix: [[Double]] = sRGB) -> [Double] {
        multiply(matrix, light).map { perceptual($0) * 65_535 }
    }

    static func multiply(_ matrix: [[Double]], _ light: [Double]) -> [Double] {
        matrix.map { row in (0..<3).reduce(0) { $0 + row[$1] * light[$1] } }
    }

    /// The curve of IEC 61966-2-1.
    static func light(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The curve of SMPTE ST 2084.
    static func perceptual(_ light: Double) -> Double {
        let power = pow(min(max(light * 203 / 10_000, 0), 1), 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }
}

extension DecodedImage {
    /// Returns the largest difference between the 16-bit pixels and the formula, for pixels of the 8-bit base image and
    /// of a map whose pixels are each `scale` wide and high.
    func largestDifference(from formula: GainMapFormula, scale: Int = 1) -> Double? {
        guard let deepPixels, let gainMap, deepPixels.colors == .perceptualQuantizer else { return nil }
        var largest = 0.0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (base, gain) = (pixels[x, y].values, gainMap.pixels[x / scale, y / scale].values)
                let word = deepPixels[x, y]
                let expected = formula.words(base: base, gain: gain)
                for (value, other) in zip([word.red, word.green, word.blue], expected) {
                    largest = max(largest, abs(Double(value) - other))
                }
            }
        }
        return largest
    }
}

extension Pixel {
    /// R, G and B from 0 to 1.
    fileprivate var values: [Double] { [red, green, blue].map { Double($0) / 255 } }
}
