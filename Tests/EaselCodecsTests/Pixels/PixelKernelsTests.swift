import EaselCore
import EaselTesting
import TestSupport
import Testing

@testable import EaselCodecs

/// Compares every implementation of every kernel with plain loops, exactly, for all widths around those of vectors.
@Suite("Pixel kernels")
struct PixelKernelsTests {
    static let kernelSets = [PixelKernels.baseline, PixelKernels.best]
    private static let widths = 1...130

    @Test("unfilter reverses every filter of PNG 9.2", arguments: [1, 2, 3, 4], [1, 2, 3, 4, 6, 8])
    func unfilter(filter: Int, distance: Int) {
        var random = SeededGenerator(seed: UInt64(filter * 10 + distance))
        for width in Self.widths {
            let count = width * distance
            let previous = random.bytes(count + PixelKernels.slack)
            let row = random.bytes(count + PixelKernels.slack)
            let expected = Self.restore(row, previous, filter, count, distance)
            for kernels in Self.kernelSets {
                var result = row
                result.withUnsafeMutableBytes { row in
                    previous.withUnsafeBytes {
                        kernels.unfilter(filter, row, after: $0, count: count, distance: distance)
                    }
                }
                // Includes the bytes after the row, which stay unchanged.
                #expect(result == expected, "width \(width)")
            }
        }
    }

    @Test("the Paeth predictor is that of PNG 9.4 for values across the range")
    func paeth() {
        // Pixels of one byte: in each three, the first two set corner and left for the third.
        for left in stride(from: UInt8(0), through: 255, by: 15) {
            var previous: [UInt8] = []
            for corner in stride(from: UInt8(0), through: 255, by: 3) {
                for above in stride(from: UInt8(0), through: 255, by: 3) { previous += [0, corner, above] }
            }
            let count = previous.count
            previous += [UInt8](repeating: 0, count: PixelKernels.slack)
            var restore = [UInt8](repeating: 0, count: count)
            var stored = [UInt8](repeating: 0, count: previous.count)
            for i in 0..<count {
                let before = i == 0 ? (UInt8(0), UInt8(0)) : (restore[i - 1], previous[i - 1])
                let prediction = Self.predict(before.0, previous[i], before.1)
                restore[i] = i % 3 == 1 ? left : prediction
                stored[i] = restore[i] &- prediction
            }
            for kernels in Self.kernelSets {
                var result = stored
                result.withUnsafeMutableBytes { row in
                    previous.withUnsafeBytes { kernels.unfilter(4, row, after: $0, count: count, distance: 1) }
                }
                #expect(result[..<count] == restore[...])
            }
        }
    }

    @Test("expandRGB adds an opaque alpha")
    func expandRGB() {
        var random = SeededGenerator(seed: 1)
        for width in Self.widths {
            let samples = random.bytes(width * 3 + PixelKernels.slack)
            var expected: [UInt8] = []
            for x in 0..<width {
                expected += samples[(x * 3)..<(x * 3 + 3)].reversed()
                expected.append(255)
            }
            for kernels in Self.kernelSets {
                var pixels = [UInt8](repeating: 9, count: width * 4 + 4)
                pixels.withUnsafeMutableBytes { target in
                    samples.withUnsafeBytes { kernels.expandRGB($0, into: target, count: width) }
                }
                #expect(pixels == expected + [9, 9, 9, 9], "width \(width)")
            }
        }
    }

    @Test("expandRGBA and premultiply round to nearest and return the common alpha", arguments: [true, false])
    func premultiply(swaps: Bool) {
        var random = SeededGenerator(seed: 2)
        for width in Self.widths {
            let samples = random.bytes(width * 4)
            let order = swaps ? [2, 1, 0] : [0, 1, 2]
            var expected: [UInt8] = []
            var common: UInt8 = 255
            for x in 0..<width {
                let alpha = samples[x * 4 + 3]
                expected += order.map { Self.product(samples[x * 4 + $0], alpha) }
                expected.append(alpha)
                common &= alpha
            }
            for kernels in Self.kernelSets {
                var pixels = samples
                let result = pixels.withUnsafeMutableBytes { target in
                    swaps
                        ? samples.withUnsafeBytes { kernels.expandRGBA($0, into: target, count: width) }
                        : kernels.premultiply(target, count: width)
                }
                #expect(pixels == expected, "width \(width)")
                #expect(result == common)
            }
        }
    }

    @Test("premultiply is exact for every component and alpha")
    func premultiplyAll() {
        var samples: [UInt8] = []
        for place in 0..<65_536 {
            samples += [UInt8](repeating: UInt8(place & 255), count: 3)
            samples.append(UInt8(place >> 8))
        }
        for kernels in Self.kernelSets {
            var pixels = samples
            _ = pixels.withUnsafeMutableBytes { kernels.premultiply($0, count: 65_536) }
            var wrong = 0
            for place in 0..<65_536 {
                let exact = Self.product(UInt8(place & 255), UInt8(place >> 8))
                if pixels[(place * 4)..<(place * 4 + 3)] != [exact, exact, exact] { wrong += 1 }
            }
            #expect(wrong == 0)
        }
    }

    @Test("commonAlpha finds one translucent pixel, and makeOpaque makes it opaque")
    func opacity() {
        for width in Self.widths {
            for place in [0, width / 2, width - 1] {
                var pixels = [UInt8](repeating: 255, count: width * 4 + 4)
                for kernels in Self.kernelSets {
                    #expect(pixels.withUnsafeBytes { kernels.commonAlpha($0, count: width) } == 255)
                    pixels[place * 4 + 3] = 0xEF
                    // Bytes after the row do not count.
                    pixels[width * 4 + 3] = 0
                    #expect(pixels.withUnsafeBytes { kernels.commonAlpha($0, count: width) } == 0xEF, "width \(width)")
                    pixels.withUnsafeMutableBytes { kernels.makeOpaque($0, count: width) }
                    #expect(pixels[place * 4 + 3] == 255)
                    #expect(pixels[width * 4 + 3] == 0)
                }
            }
        }
    }

    /// Returns a * b / 255, rounded to nearest.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        UInt8((Int(a) * Int(b) * 2 + 255) / 510)
    }

    private static func restore(
        _ row: [UInt8], _ previous: [UInt8], _ filter: Int, _ count: Int, _ distance: Int
    ) -> [UInt8] {
        var result = row
        for i in 0..<count {
            let left = i >= distance ? result[i - distance] : 0
            let corner = i >= distance ? previous[i - distance] : 0
            let above = previous[i]
            switch filter {
            case 1: result[i] &+= left
            case 2: result[i] &+= above
            case 3: result[i] &+= UInt8((Int(left) + Int(above)) / 2)
            default: result[i] &+= predict(left, above, corner)
            }
        }
        return result
    }

    /// The Paeth predictor as in PNG 9.4.
    private static func predict(_ left: UInt8, _ above: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(above) - Int(corner)
        let (a, b, c) = (abs(estimate - Int(left)), abs(estimate - Int(above)), abs(estimate - Int(corner)))
        if a <= b && a <= c { return left }
        return b <= c ? above : corner
    }
}
