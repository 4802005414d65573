import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

/// Compares every implementation of the resampler's loops with plain ones, exactly.
@Suite("Resampler kernels")
struct ResamplerKernelsTests {
    private static let kernelSets = [PixelKernels.baseline, PixelKernels.best]

    @Test("blendRows adds weighted rows and rounds each product", arguments: [1, 2, 7, 24])
    func blendRows(taps: Int) {
        var random = SeededGenerator(seed: UInt64(taps))
        let count = 192
        let rows = random.bytes(count * taps)
        let weights = Self.weights(taps, &random)
        var expected = [Int](repeating: 0, count: count)
        for x in 0..<count {
            for tap in 0..<taps {
                let product = (Int(rows[tap * count + x]) << 7) * Int(weights[tap])
                expected[x] += (product + (1 << 14)) >> 15
            }
        }
        for kernels in Self.kernelSets {
            var line = [Int16](repeating: 0, count: count)
            line.withUnsafeMutableBufferPointer { line in
                rows.withUnsafeBytes { kernels.blendRows($0, bytesPerRow: count, weights: weights[...], into: line) }
            }
            #expect(line.map(Int.init) == expected)
        }
    }

    @Test(
        "blendColumns adds weighted pixels, clamped to 0...255 and to alpha",
        arguments: [(1, 1), (5, 3), (40, 13), (100, 130), (130, 100), (300, 21)])
    func blendColumns(sourceCount: Int, targetCount: Int) {
        var random = SeededGenerator(seed: UInt64(sourceCount))
        let columns = ResamplerWeights(
            sourceCount: sourceCount, extent: Double(sourceCount), targetCount: targetCount)
        let line = random.bytes((sourceCount + ResamplerWeights.slack) * 4).map { (Int16($0) << 6) - 1_000 }
        var expected: [UInt8] = []
        for x in 0..<targetCount {
            var sums = [Int](repeating: 1 << 19, count: 4)
            for (tap, weight) in columns.weights(of: x).enumerated() {
                let offset = (Int(columns.starts[x]) + tap) * 4
                for channel in 0..<4 { sums[channel] += Int(weight) * Int(line[offset + channel]) }
            }
            let alpha = min(max(sums[3] >> 20, 0), 255)
            expected += sums.map { UInt8(min(max($0 >> 20, 0), alpha)) }
        }
        for kernels in Self.kernelSets {
            var pixels = [UInt8](repeating: 0, count: targetCount * 4)
            pixels.withUnsafeMutableBytes { target in
                line.withUnsafeBufferPointer { kernels.blendColumns($0, columns, into: target) }
            }
            #expect(pixels == expected)
        }
    }

    @Test("blocks are averaged with half a divisor and its reciprocal", arguments: [1, 2, 3, 6, 7, 128])
    func blocks(side: Int) {
        var random = SeededGenerator(seed: UInt64(side))
        let blockCount = side < 16 ? 16 : 1
        let bytesPerRow = blockCount * side * 4
        let divisor = BlockDivisor(side * side)
        let rows = random.bytes(bytesPerRow * side)
        var expected: [UInt8] = []
        for block in 0..<blockCount {
            for channel in 0..<4 {
                var sum = Int(divisor.half)
                for y in 0..<side {
                    for x in 0..<side { sum += Int(rows[y * bytesPerRow + (block * side + x) * 4 + channel]) }
                }
                expected.append(UInt8((sum * Int(divisor.reciprocal)) >> 24))
                #expect(abs(Double(sum) / Double(side * side) - Double(expected.last ?? 0)) < 1.01)
            }
        }
        for kernels in Self.kernelSets {
            var sums = [UInt16](repeating: 0, count: bytesPerRow)
            var pixels = [UInt8](repeating: 0, count: blockCount * 4)
            sums.withUnsafeMutableBufferPointer { sums in
                rows.withUnsafeBytes { kernels.addRows($0, bytesPerRow: bytesPerRow, count: side, into: sums) }
                pixels.withUnsafeMutableBytes {
                    kernels.averageColumns(
                        UnsafeBufferPointer(sums), blockWidth: side, divisor, into: $0, count: blockCount)
                }
            }
            #expect(pixels == expected)
        }
    }

    /// Returns positive and negative weights with a sum of at most 1, as in the filter.
    private static func weights(_ count: Int, _ random: inout SeededGenerator) -> [Int16] {
        random.bytes(count).map { (Int16($0) - 100) * Int16(ResamplerWeights.one / 155 / count) }
    }
}

@Suite("Cached resampler weights")
struct ResamplerWeightsTests {
    @Test("cached weights are those of their axis, even after other requests")
    func cached() {
        for _ in 0..<2 {
            for count in 20..<40 {
                let cached = ResamplerWeights.cached(sourceCount: count, extent: Double(count), targetCount: 10)
                let fresh = ResamplerWeights(sourceCount: count, extent: Double(count), targetCount: 10)
                #expect(cached.starts == fresh.starts)
                #expect((0..<10).allSatisfy { cached.weights(of: $0) == fresh.weights(of: $0) })
            }
        }
    }

    @Test("a partial last pixel makes another axis")
    func extent() {
        let all = ResamplerWeights.cached(sourceCount: 13, extent: 13, targetCount: 5)
        let part = ResamplerWeights.cached(sourceCount: 13, extent: 12.5, targetCount: 5)
        #expect((0..<5).contains { all.weights(of: $0) != part.weights(of: $0) })
    }
}
