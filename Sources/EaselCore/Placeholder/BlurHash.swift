import EaselFoundation

/// The colors of an image in 6 to 166 characters, in the format of blurha.sh: a few cosines across and down, in base
/// 83.
struct BlurHash: Sendable, Hashable {
    /// The characters.
    let text: String
    let across: Int
    let down: Int

    /// Creates a hash from its text. Returns `nil` for invalid characters or a length that differs from its header's.
    init?(_ text: String) {
        // The longest has 9 by 9 components.
        guard text.utf8.count <= 4 + 2 * 81, let digits = Base83.digits(of: text), digits.count >= 6 else { return nil }
        (self.text, across, down) = (text, digits[0] % 9 + 1, digits[0] / 9 + 1)
        guard down <= 9, digits.count == 4 + 2 * across * down, Base83.value(of: digits[2..<6]) < 1 << 24 else {
            return nil
        }
    }

    /// Returns an image of the hash. 32 x 32 pixels show all of its detail.
    ///
    /// - Parameters:
    ///   - size: limited to 1 to 256 pixels a side.
    ///   - punch: multiplies the contrast.
    func image(size: PixelSize = PixelSize(32, 32), punch: Double = 1) throws(ImageError) -> DecodedImage {
        let size = PixelSize(min(max(size.width, 1), 256), min(max(size.height, 1), 256))
        let colors = colors(punch: punch.bounded(0...100))
        let columns = CosineTable(count: size.width, waves: across, shift: 0)
        let rows = CosineTable(count: size.height, waves: down, shift: 0)
        let pixels = try PixelBuffer.drawRows(of: size, isOpaque: true) { y, target in
            // The vertical cosines do not change within a row.
            let waves = (0..<across).map { wave in
                (0..<down).reduce(SIMD4<Double>()) { $0 + colors[$1 * across + wave] * rows[$1, y] }
            }
            for x in 0..<size.width {
                let light = (0..<across).reduce(SIMD4<Double>()) { $0 + waves[$1] * columns[$1, x] }
                target[x] =
                    ImageColor(
                        red: LinearLight.nearestLevel(ofLight: light.x),
                        green: LinearLight.nearestLevel(ofLight: light.y),
                        blue: LinearLight.nearestLevel(ofLight: light.z)
                    ).word
            }
        }
        return DecodedImage(pixels: pixels, metadata: ImageMetadata(isPlaceholder: true))
    }

    /// Red, green and blue in linear light, for each component, row by row.
    private func colors(punch: Double) -> [SIMD4<Double>] {
        guard let digits = Base83.digits(of: text) else { return [] }
        let largest = Double(digits[1] + 1) / 166 * punch
        return (0..<(across * down)).map { index in
            guard index > 0 else {
                let mean = Base83.value(of: digits[2..<6])
                func light(_ shift: Int) -> Double { LinearLight.light(ofLevel: Double(mean >> shift & 255) / 255) }
                return SIMD4(light(16), light(8), light(0), 0)
            }
            let value = Base83.value(of: digits[(4 + index * 2)..<(6 + index * 2)])
            func part(_ step: Int) -> Double {
                let share = Double(min(step, 18) - 9) / 9
                return share * abs(share) * largest
            }
            return SIMD4(part(value / 361), part(value / 19 % 19), part(value % 19), 0)
        }
    }
}

/// Numbers in the 83 characters of BlurHash.
package enum Base83 {
    package static let characters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static let values = Dictionary(uniqueKeysWithValues: zip(characters, 0...))

    /// Returns the digits of a text, or `nil` for invalid characters.
    static func digits(of text: String) -> [Int]? {
        let digits = text.utf8.compactMap { values[$0] }
        return digits.count == text.utf8.count ? digits : nil
    }

    static func value(of digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }
}

/// Cosines of multiples of half turns, the weights of positions in both hashes.
package struct CosineTable {
    private let values: [Double]
    private let count: Int

    /// Computes `cos(pi * wave * (index + shift) / count)` for waves below `waves`.
    package init(count: Int, waves: Int, shift: Double) {
        self.count = count
        values = (0..<waves).flatMap { wave in
            (0..<count).map { index in
                cos(.pi * Double(wave) * (Double(index) + shift) / Double(count))
            }
        }
    }

    package subscript(wave: Int, index: Int) -> Double { values[wave * count + index] }
}

/// The curve of sRGB (IEC 61966-2-1), between levels and light from 0 to 1.
package enum LinearLight {
    package static func light(ofLevel level: Double) -> Double {
        level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }

    /// Returns the nearest 8-bit level; light out of range is cut off.
    package static func nearestLevel(ofLight light: Double) -> UInt8 {
        let light = light.bounded(0...1)
        let level = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((level * 255).rounded())
    }
}
