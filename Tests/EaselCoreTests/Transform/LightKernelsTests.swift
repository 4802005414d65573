import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

/// Compares every implementation of the loops over light with plain ones, exactly.
@Suite("Light kernels")
struct LightKernelsTests {
    private static let kernelSets = [PixelKernels.baseline, PixelKernels.best]

    @Test("blendLightRows adds the rows of a ring and rounds each product", arguments: [0, 2, 4])
    func rows(first: Int) {
        var ring = LightRing(width: 11, rowCount: 5)
        ring.values = Self.numbers(ring.values.count)
        let weights = Self.numbers(4).map { $0 - 0.3 }
        let expected = (0..<ring.rowLength).map { x in
            (0..<4).reduce(Float.zero) { $0 + ring.values[(first + $1) % 5 * ring.rowLength + x] * weights[$1] }
        }
        for kernels in Self.kernelSets {
            var line = [Float](repeating: -1, count: ring.rowLength)
            line.withUnsafeMutableBufferPointer {
                kernels.blendLightRows(ring, first: first, weights: weights[...], into: $0)
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
                    sums[tap % 2] += line[(Int(columns.positions.starts[x]) + tap) * 4 + channel] * weight
                }
                expected.append(sums[0] + sums[1])
            }
        }
        for kernels in Self.kernelSets {
            var colors = [Float](repeating: -1, count: targetCount * 4)
            colors.withUnsafeMutableBufferPointer { colors in
                line.withUnsafeBufferPointer { kernels.blendLightColumns($0, columns, into: colors) }
            }
            #expect(colors == expected)
        }
    }

    /// Returns numbers from 0 to 1 that use all bits of a `Float`.
    private static func numbers(_ count: Int) -> [Float] {
        var random = SeededGenerator(seed: UInt64(count))
        let bytes = random.bytes(count * 3)
        return (0..<count).map { index in
            Float(bytes[(index * 3)..<(index * 3 + 3)].reduce(0) { $0 << 8 | Int($1) }) / Float(1 << 24)
        }
    }
}
