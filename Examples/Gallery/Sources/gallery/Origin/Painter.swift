import EaselGTK

/// Paints images of several kinds, varied by number. The same number always gives the same image.
struct Painter {
    enum Kind: String, CaseIterable {
        case hills, arcs, moons, stripes, mosaic, ripples
    }

    /// A colour with components from 0 to 1.
    typealias Color = SIMD3<Float>

    let kind: Kind
    private let palette: [Color]
    private let seed: UInt32
    /// The height relative to the width.
    private let ratio: Float
    /// The position in an animation, from 0 to 1.
    private let phase: Float

    init(_ kind: Kind, number: Int, ratio: Float, phase: Float = 0) {
        self.kind = kind
        self.ratio = ratio
        self.phase = phase
        seed = UInt32(truncatingIfNeeded: number) &* 2_654_435_761 &+ 12_345
        palette = Palette.all[Int(Self.hash(seed, 1) * Float(Palette.all.count)) % Palette.all.count]
    }

    /// Paints an image.
    ///
    /// - Throws: `ImageError.tooLarge` if memory is insufficient.
    func image(width: Int) throws(ImageError) -> PixelBuffer {
        let size = PixelSize(width, max(1, Int(Float(width) * ratio)))
        let pixel = 1 / Float(width)
        return try PixelBuffer(size: size, isOpaque: true) { bytes, bytesPerRow in
            for row in 0..<size.height {
                for column in 0..<size.width {
                    let color = color(x: (Float(column) + 0.5) * pixel, y: (Float(row) + 0.5) * pixel, pixel)
                    let clamped = (color.clamped(lowerBound: Color(), upperBound: Color(repeating: 1)) * 255).rounded(
                        .toNearestOrEven)
                    let position = row * bytesPerRow + column * 4
                    bytes[position] = UInt8(clamped.z)
                    bytes[position + 1] = UInt8(clamped.y)
                    bytes[position + 2] = UInt8(clamped.x)
                    bytes[position + 3] = 255
                }
            }
        }
    }

    private func color(x: Float, y: Float, _ pixel: Float) -> Color {
        switch kind {
        case .hills: hills(x, y, pixel)
        case .arcs: arcs(x, y, pixel)
        case .moons: moons(x, y, pixel)
        case .stripes: stripes(x, y, pixel)
        case .mosaic: mosaic(x, y, pixel)
        case .ripples: ripples(x, y, pixel)
        }
    }

    // MARK: - Kinds

    /// Rows of hills under a sun.
    private func hills(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        var color = mix(palette[0], palette[1], y / ratio)
        let sun = SIMD2(0.2 + 0.6 * random(2), ratio * (0.2 + 0.25 * random(3)))
        let distance = length(SIMD2(x, y) - sun)
        let radius = 0.06 + 0.08 * random(4)
        color = mix(color, palette[2], 0.35 * max(0, 1 - distance / (radius * 4)))
        color = mix(color, mix(palette[2], Color(repeating: 1), 0.5), cover(radius - distance, pixel))
        for ridge in 0..<5 {
            let number = UInt32(10 + ridge * 5)
            let depth = Float(ridge) / 4
            let base = ratio * (0.45 + 0.13 * Float(ridge))
            let height =
                base + 0.05 * wave(x * (2 + 3 * random(number)) + random(number + 1))
                + 0.022 * wave(x * (7 + 6 * random(number + 2)) + random(number + 3))
            color = mix(color, mix(palette[3], palette[4], depth), cover(y - height, pixel))
        }
        return color
    }

    /// Quarter circles that connect across tiles.
    private func arcs(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        let count = 4 + (random(2) * 5).rounded(.down)
        let (column, row) = ((x * count).rounded(.down), (y * count).rounded(.down))
        var position = SIMD2(x * count - column, y * count - row)
        let chance = Self.hash(seed &+ UInt32(column) &* 7_919, UInt32(row) &+ 77)
        if chance < 0.5 { position.x = 1 - position.x }
        var color = palette[Int(chance * 997) % 2]
        for corner in [SIMD2<Float>(0, 0), SIMD2(1, 1)] {
            let distance = length(position - corner)
            for band in 0..<3 {
                let edge = 0.2 + 0.15 * Float(2 - band) + 0.15
                color = mix(color, palette[2 + band], cover((edge - distance) / count, pixel))
            }
            color = mix(color, palette[0], cover((0.18 - distance) / count, pixel))
        }
        return color
    }

    /// Discs in a grid, each in one of its phases.
    private func moons(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        let count = 3 + (random(2) * 4).rounded(.down)
        let (column, row) = ((x * count).rounded(.down), (y * count).rounded(.down))
        let position = SIMD2(x * count - column - 0.5, y * count - row - 0.5)
        let number = UInt32(column) &* 31 &+ UInt32(row)
        let turn = Self.hash(seed, number &+ 40) + phase
        var color = mix(palette[0], palette[1], (column + row) / (2 * count))
        let disc = cover((0.38 - length(position)) / count, pixel)
        color = mix(color, palette[2 + Int(Self.hash(seed, number) * 2.99)], disc)
        let offset = SIMD2(wave(turn), wave(turn + 0.25)) * 0.3
        return mix(color, palette[4], disc * cover((0.38 - length(position - offset)) / count, pixel))
    }

    /// Curved bands.
    private func stripes(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        let angle = random(2)
        let across = x * wave(angle) + y * wave(angle + 0.25)
        let along = x * wave(angle + 0.25) - y * wave(angle)
        let position = across * (5 + 5 * random(3)) + 0.35 * wave(along * (1 + random(4)) + random(5))
        let band = position.rounded(.down)
        let part = position - band
        let index = Int(band) + 50
        return mix(palette[index % 5], palette[(index + 1) % 5], cover((part - 0.5) / 8, pixel))
    }

    /// A mosaic of irregular stones.
    private func mosaic(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        let count = 6 + 6 * random(2)
        let (column, row) = ((x * count).rounded(.down), (y * count).rounded(.down))
        var (first, second, stone) = (Float(9), Float(9), UInt32(0))
        for down in -1...1 {
            for right in -1...1 {
                let cell = SIMD2(column + Float(right), row + Float(down))
                let number = UInt32(bitPattern: Int32(cell.x) &* 131 &+ Int32(cell.y) &* 7_177)
                let point = cell + SIMD2(Self.hash(seed, number), Self.hash(seed &+ 1, number))
                let distance = length(SIMD2(x, y) * count - point)
                if distance < first {
                    (second, first, stone) = (first, distance, number)
                } else if distance < second {
                    second = distance
                }
            }
        }
        let shade = 0.85 + 0.3 * Self.hash(seed, stone &+ 9)
        let color = palette[1 + Int(Self.hash(seed, stone &+ 5) * 3.99)] * shade
        return mix(palette[0], color, cover((second - first - 0.1) / count, pixel))
    }

    /// Circular waves around two points.
    private func ripples(_ x: Float, _ y: Float, _ pixel: Float) -> Color {
        let first = SIMD2(0.15 + 0.3 * random(2), ratio * (0.2 + 0.6 * random(3)))
        let second = SIMD2(0.55 + 0.3 * random(4), ratio * (0.2 + 0.6 * random(5)))
        let position = SIMD2(x, y)
        let height =
            wave(length(position - first) * 12 - phase) + wave(length(position - second) * (9 + 6 * random(6)) - phase)
        let level = (height + 2) * 1.2
        let step = level.rounded(.down)
        let index = min(4, max(0, Int(step)))
        return mix(palette[index], palette[min(4, index + 1)], cover((level - step - 0.5) / 30, pixel))
    }

    // MARK: - Helpers

    private func random(_ number: UInt32) -> Float { Self.hash(seed, number) }

    /// Returns the coverage of a pixel at this distance from an edge.
    private func cover(_ distance: Float, _ pixel: Float) -> Float { min(max(distance / pixel + 0.5, 0), 1) }

    private func mix(_ first: Color, _ second: Color, _ share: Float) -> Color { first + (second - first) * share }

    private func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

    /// An approximate sine; the unit is turns.
    private func wave(_ turns: Float) -> Float {
        let part = turns - turns.rounded(.down)
        let half = part < 0.5 ? part * 2 : part * 2 - 1
        let arch = 4 * half * (1 - half)
        return part < 0.5 ? arch : -arch
    }

    /// Returns a number from 0 to 1.
    private static func hash(_ seed: UInt32, _ number: UInt32) -> Float {
        var bits = seed ^ (number &* 0x9E37_79B9)
        bits = (bits ^ (bits >> 16)) &* 0x85EB_CA6B
        bits = (bits ^ (bits >> 13)) &* 0xC2B2_AE35
        return Float((bits ^ (bits >> 16)) >> 8) / 16_777_216
    }
}

/// Matching colours, from back to front.
enum Palette {
    static let all: [[Painter.Color]] = hexadecimal.map { $0.map(color) }

    private static let hexadecimal: [[UInt32]] = [
        [0x0B132B, 0x1C2541, 0xF6AE2D, 0x3A506B, 0x5BC0BE], [0xF8EDEB, 0xFEC5BB, 0xE07A5F, 0x81B29A, 0x3D405B],
        [0x2B2D42, 0x8D99AE, 0xEF233C, 0xEDF2F4, 0xD90429], [0x264653, 0x2A9D8F, 0xE9C46A, 0xF4A261, 0xE76F51],
        [0x10002B, 0x3C096C, 0xFF9E00, 0x7B2CBF, 0xE0AAFF], [0xFEFAE0, 0xFAEDCD, 0xD4A373, 0xCCD5AE, 0x606C38],
        [0x03045E, 0x0077B6, 0xCAF0F8, 0x00B4D8, 0x90E0EF], [0x231942, 0x5E548E, 0xE0B1CB, 0x9F86C0, 0xBE95C4],
        [0x1A1A1D, 0x4E4E50, 0xC3073F, 0x6F2232, 0x950740], [0xFFCDB2, 0xFFB4A2, 0xFFE8D6, 0xB5838D, 0x6D6875],
    ]

    private static func color(_ hexadecimal: UInt32) -> Painter.Color {
        Painter.Color(
            Float(hexadecimal >> 16 & 255) / 255, Float(hexadecimal >> 8 & 255) / 255, Float(hexadecimal & 255) / 255)
    }
}
