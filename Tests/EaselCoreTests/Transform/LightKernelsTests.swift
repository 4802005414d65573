import Testing

@testable import EaselCore

/// Compares every implementation of the loops over light with plain ones, exactly.
@Suite("Light kernels")
struct LightKernelsTests {
    private static let makes = [PixelKernels.baseline, PixelKernels.best]

    /// Returns the premultiplied light of a premultiplied pixel: blue, green, red and alpha.
    static func light(of pixel: UInt32) -> SIMD4<Float> {
        let alpha = pixel >> 24
        guard alpha > 0 else { return .zero }
        var light = SIMD4<Float>(repeating: 1)
        for channel in 0..<3 {
            // The stored value is the level times alpha.
            let level = ((pixel >> UInt32(channel * 8) & 0xFF) * 255 + alpha / 2) / alpha
            light[channel] = LinearLight.shared.lights[Int(min(level, 255))]
        }
        return light * (Float(alpha) / 255)
    }

    @Test("addLight adds pixels that are opaque, translucent, clear or out of range", arguments: [1, 3, 4, 7, 8, 33])
    func addLight(width: Int) {
        var random = RandomBytes(seed: UInt64(width))
        let (rowCount, bytesPerRow) = (5, (width * 4 + 63) & ~63)
        var rows = random.bytes(bytesPerRow * rowCount)
        // Two thirds of the pixels are opaque, so that whole vectors are.
        for pixel in 0..<(rows.count / 4) where pixel % 9 < 6 { rows[pixel * 4 + 3] = 255 }
        for pixel in 0..<(rows.count / 4) where pixel % 9 == 7 { rows[pixel * 4 + 3] = 0 }
        let expected = (0..<width).flatMap { x in
            let sum = (0..<rowCount).reduce(SIMD4<Float>.zero) { sum, y in
                let start = y * bytesPerRow + x * 4
                return sum + Self.light(of: rows[start..<(start + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) })
            }
            return (0..<4).map { sum[$0] }
        }
        for make in Self.makes {
            var sums = [Float](repeating: -1, count: width * 4)
            sums.withUnsafeMutableBufferPointer { sums in
                rows.withUnsafeBytes {
                    make.addLight(
                        $0, bytesPerRow: bytesPerRow, rowCount: rowCount, LinearLight.shared.lights, into: sums,
                        count: width)
                }
            }
            #expect(sums == expected)
        }
    }

    @Test("averageLight averages blocks from left to right", arguments: [1, 2, 3, 7, 128])
    func averageLight(side: Int) {
        let sums = Self.numbers(side * 4 * 5)
        let expected = (0..<20).map { place in
            (0..<side).reduce(Float.zero) { $0 + sums[(place / 4 * side + $1) * 4 + place % 4] } / Float(side * 3)
        }
        for make in Self.makes {
            var means = [Float](repeating: -1, count: 20)
            means.withUnsafeMutableBufferPointer { means in
                sums.withUnsafeBufferPointer {
                    make.averageLight($0, blockWidth: side, area: side * 3, into: means, count: 5)
                }
            }
            #expect(means == expected)
        }
    }

    @Test("blendLightRows adds the rows of a ring and rounds each product", arguments: [0, 2, 4])
    func rows(first: Int) {
        var ring = LightRing(width: 11, rowCount: 5)
        ring.values = Self.numbers(ring.values.count)
        let weights = Self.numbers(4).map { $0 - 0.3 }
        let expected = (0..<ring.rowLength).map { x in
            (0..<4).reduce(Float.zero) { $0 + ring.values[(first + $1) % 5 * ring.rowLength + x] * weights[$1] }
        }
        for make in Self.makes {
            var line = [Float](repeating: -1, count: ring.rowLength)
            line.withUnsafeMutableBufferPointer {
                make.blendLightRows(ring, first: first, weights: weights[...], into: $0)
            }
            #expect(line == expected)
        }
    }

    @Test(
        "blendLightColumns adds neighbouring pixels at even and odd positions",
        arguments: [(1, 1), (5, 3), (40, 13), (100, 130), (300, 21)])
    func columns(sourceCount: Int, targetCount: Int) {
        let columns = LightWeights(
            ResamplerWeights(sourceCount: sourceCount, extent: Double(sourceCount), targetCount: targetCount))
        let line = Self.numbers((sourceCount + ResamplerWeights.slack) * 4)
        var expected: [Float] = []
        for x in 0..<targetCount {
            for channel in 0..<4 {
                var sums: [Float] = [0, 0]
                for (tap, weight) in columns.weights(of: x).enumerated() {
                    sums[tap % 2] += line[(Int(columns.places.starts[x]) + tap) * 4 + channel] * weight
                }
                expected.append(sums[0] + sums[1])
            }
        }
        for make in Self.makes {
            var colors = [Float](repeating: -1, count: targetCount * 4)
            colors.withUnsafeMutableBufferPointer { colors in
                line.withUnsafeBufferPointer { make.blendLightColumns($0, columns, into: colors) }
            }
            #expect(colors == expected)
        }
    }

    /// Returns numbers from 0 to 1 that use all bits of a `Float`.
    private static func numbers(_ count: Int) -> [Float] {
        var random = RandomBytes(seed: UInt64(count))
        let bytes = random.bytes(count * 3)
        return (0..<count).map { index in
            Float(bytes[(index * 3)..<(index * 3 + 3)].reduce(0) { $0 << 8 | Int($1) }) / Float(1 << 24)
        }
    }
}
