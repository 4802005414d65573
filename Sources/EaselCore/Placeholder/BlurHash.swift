/// The colors of an image in 6 to 166 characters, in the format of blurha.sh: a few cosines across and down, in base 83.
public struct BlurHash: Sendable, Hashable {
    /// The characters.
    public let text: String
    let across: Int
    let down: Int

    /// A hash from its text, or `nil` for invalid characters or a length that differs from its header's.
    public init?(_ text: String) {
        // The longest has 9 by 9 components.
        guard text.utf8.count <= 4 + 2 * 81, let digits = Base83.digits(of: text), digits.count >= 6 else { return nil }
        self.init(text: text, across: digits[0] % 9 + 1, down: digits[0] / 9 + 1)
        guard down <= 9, digits.count == 4 + 2 * across * down, Base83.value(of: digits[2..<6]) < 1 << 24 else {
            return nil
        }
    }

    private init(text: String, across: Int, down: Int) {
        (self.text, self.across, self.down) = (text, across, down)
    }

    /// Returns an image of the hash. 32 x 32 pixels show all of its detail.
    ///
    /// - Parameters:
    ///   - size: limited to 1 to 256 pixels a side.
    ///   - punch: multiplies the contrast.
    public func image(size: PixelSize = PixelSize(32, 32), punch: Double = 1) throws(ImageError) -> DecodedImage {
        let size = PixelSize(min(max(size.width, 1), 256), min(max(size.height, 1), 256))
        let colors = colors(punch: punch.bounded(0...100))
        let columns = CosineTable(places: size.width, waves: across, shift: 0)
        let rows = CosineTable(places: size.height, waves: down, shift: 0)
        let pixels = try PixelBuffer.drawRows(of: size, isOpaque: true) { y, target in
            // The cosines down are the same for the whole row.
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

    /// The mean color.
    public var averageColor: ImageColor {
        ImageColor(UInt32(Base83.value(of: (Base83.digits(of: text) ?? [])[2..<6])))
    }

    /// Red, green and blue in linear light, for each component, row by row.
    private func colors(punch: Double) -> [SIMD4<Double>] {
        guard let digits = Base83.digits(of: text) else { return [] }
        let largest = Double(digits[1] + 1) / 166 * punch
        return (0..<(across * down)).map { index in
            guard index > 0 else {
                let color = averageColor
                return Self.light(color.red, color.green, color.blue)
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

extension BlurHash {
    /// The hash of an image; transparent parts count as black. An image of more than 100 pixels a side is scaled down first.
    ///
    /// - Parameters:
    ///   - across: cosines across, bounded to 1...9. More keep more detail, in a longer text.
    ///   - down: cosines down, bounded to 1...9.
    /// - Throws: `ImageError.cancelled`.
    public init(
        of image: DecodedImage, across: Int = 4, down: Int = 3, isCancelled: () -> Bool = { false }
    ) throws(ImageError) {
        let (across, down) = (min(max(across, 1), 9), min(max(down, 1), 9))
        let pixels = try image.pixels.scaleForHashing(isCancelled)
        let components = Self.components(of: pixels, across, down)
        let loudest = components.dropFirst().map { max(abs($0.x), abs($0.y), abs($0.z)) }.max()
        let step = loudest.map { Int(($0 * 166 - 0.5).rounded(.down).bounded(0...82)) } ?? 0
        let largest = loudest == nil ? 1 : Double(step + 1) / 166
        var text = Base83.text(across - 1 + (down - 1) * 9, 1) + Base83.text(step, 1)
        for (index, light) in components.enumerated() {
            if index == 0 {
                let levels = [light.x, light.y, light.z].map { Int(LinearLight.nearestLevel(ofLight: $0)) }
                text += Base83.text(levels[0] << 16 | levels[1] << 8 | levels[2], 4)
            } else {
                let steps = [light.x, light.y, light.z].map { Self.step($0 / largest) }
                text += Base83.text(steps[0] * 361 + steps[1] * 19 + steps[2], 2)
            }
        }
        self.init(text: text, across: across, down: down)
    }

    /// Quantizes to one of 19 steps from -1 to 1, finer around 0.
    private static func step(_ value: Double) -> Int {
        let root = abs(value).squareRoot() * (value < 0 ? -1 : 1)
        return Int((root * 9 + 9.5).rounded(.down).bounded(0...18))
    }

    private static func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD4<Double> {
        let lights = LinearLight.exactLights
        return SIMD4(lights[Int(red)], lights[Int(green)], lights[Int(blue)], 0)
    }

    private static func components(of pixels: PixelBuffer, _ across: Int, _ down: Int) -> [SIMD4<Double>] {
        let columns = CosineTable(places: pixels.width, waves: across, shift: 0)
        let rows = CosineTable(places: pixels.height, waves: down, shift: 0)
        var sums = [SIMD4<Double>](repeating: SIMD4(), count: across * down)
        for y in 0..<pixels.height {
            var waves = [SIMD4<Double>](repeating: SIMD4(), count: across)
            for x in 0..<pixels.width {
                let pixel = pixels[x, y]
                let light = light(pixel.red, pixel.green, pixel.blue)
                for wave in 0..<across { waves[wave] += light * columns[wave, x] }
            }
            for row in 0..<down {
                for wave in 0..<across { sums[row * across + wave] += waves[wave] * rows[row, y] }
            }
        }
        let count = Double(pixels.width * pixels.height)
        return sums.enumerated().map { $1 * (($0 == 0 ? 1 : 2) / count) }
    }
}

extension PixelBuffer {
    /// Limits both sides to 100 pixels, more than a hash can show.
    func scaleForHashing(_ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let size = TargetSize.pixels(width: 100, height: 100).size(for: size)
        return try resized(to: size, isCancelled: isCancelled)
    }
}

/// Numbers in the 83 characters of BlurHash.
private enum Base83 {
    private static let characters = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

    private static let values = Dictionary(uniqueKeysWithValues: zip(characters, 0...))

    /// Returns the digits of a text, or `nil` for invalid characters.
    static func digits(of text: String) -> [Int]? {
        let digits = text.utf8.compactMap { values[$0] }
        return digits.count == text.utf8.count ? digits : nil
    }

    static func value(of digits: ArraySlice<Int>) -> Int { digits.reduce(0) { $0 * 83 + $1 } }

    /// Returns the text of a number in `count` digits.
    static func text(_ number: Int, _ count: Int) -> String {
        let digits = sequence(first: number) { $0 / 83 }.prefix(count).map { characters[$0 % 83] }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}

/// Cosines of multiples of half turns, the weights of places in both hashes.
struct CosineTable {
    private let values: [Double]
    private let places: Int

    /// `cos(pi * wave * (place + shift) / places)` for waves below `waves`.
    init(places: Int, waves: Int, shift: Double) {
        self.places = places
        values = (0..<waves).flatMap { wave in
            (0..<places).map { place in
                let angle = 180 * Double(wave) * (Double(place) + shift) / Double(places)
                return ReproducibleMath.sineAndCosine(degrees: angle).cosine
            }
        }
    }

    subscript(wave: Int, place: Int) -> Double { values[wave * places + place] }
}
