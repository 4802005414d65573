#if Server
import EaselCore

extension PixelBuffer {
    /// Returns the BlurHash of the image over white.
    ///
    /// - Parameters:
    ///   - across: the components across, 1 to 9.
    ///   - down: the components down, 1 to 9.
    func blurHash(
        across: Int, down: Int, isCancelled: () -> Bool = { false }
    ) throws(ImageError) -> String {
        let (across, down) = (min(max(across, 1), 9), min(max(down, 1), 9))
        // More pixels do not change the lowest frequencies.
        let box = TargetSize.pixels(width: 64, height: 64)
        let pixels = try resized(to: box.size(for: size), isCancelled: isCancelled)
        let components = pixels.lightComponents(across, down)
        let largest = components.dropFirst().reduce(0.0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        // One digit, of which the decoder makes (digit + 1) / 166.
        let step = Int(min(max((largest * 166 - 0.5).rounded(.down), 0), 82))
        let scale = Double(step + 1) / 166
        let mean = [components[0].x, components[0].y, components[0].z].reduce(0) {
            $0 << 8 | Int(LinearLight.nearestLevel(ofLight: $1))
        }
        return components.dropFirst().reduce(
            Base83.text(across - 1 + (down - 1) * 9, digits: 1) + Base83.text(step, digits: 1)
                + Base83.text(mean, digits: 4)
        ) { text, component in
            let steps = [component.x, component.y, component.z].map { Self.step(of: $0 / scale) }
            return text + Base83.text(steps.reduce(0) { $0 * 19 + $1 }, digits: 2)
        }
    }

    /// Returns one of 19 steps for a number from -1 to 1, denser around 0.
    private static func step(of value: Double) -> Int {
        let root = abs(value).squareRoot() * (value < 0 ? -1 : 1)
        return Int(min(max((root * 9 + 9.5).rounded(.down), 0), 18))
    }

    /// Returns red, green and blue in linear light for each component, row by row.
    private func lightComponents(_ across: Int, _ down: Int) -> [SIMD4<Double>] {
        let columns = CosineTable(count: width, waves: across, shift: 0)
        let rows = CosineTable(count: height, waves: down, shift: 0)
        let light = (0..<256).map { LinearLight.light(ofLevel: Double($0) / 255) }
        var sums = [SIMD4<Double>](repeating: SIMD4(), count: across * down)
        for y in 0..<height {
            var waves = [SIMD4<Double>](repeating: SIMD4(), count: across)
            for x in 0..<width {
                let pixel = self[x, y]
                let white = 255 - pixel.alpha
                let color = SIMD4(
                    light[Int(pixel.red &+ white)], light[Int(pixel.green &+ white)], light[Int(pixel.blue &+ white)], 0
                )
                for wave in 0..<across { waves[wave] += color * columns[wave, x] }
            }
            for row in 0..<down {
                for wave in 0..<across { sums[row * across + wave] += waves[wave] * rows[row, y] }
            }
        }
        let area = Double(width * height)
        return sums.enumerated().map { index, sum in sum * ((index == 0 ? 1 : 2) / area) }
    }
}

extension Base83 {
    /// Returns a number in this many digits, the first one first.
    fileprivate static func text(_ value: Int, digits: Int) -> String {
        var rest = value
        let reversed = (0..<digits).map { _ in
            defer { rest /= 83 }
            return characters[rest % 83]
        }
        return String(decoding: reversed.reversed(), as: UTF8.self)
    }
}
#endif
