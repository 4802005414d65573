import EaselCore

/// What the corpora's answers say of a picture's pixels.
struct PixelSummary {
    /// The means of 8 x 8 cells, row by row, R, G, B and A of each, premultiplied.
    var grid: [Double]
    /// The SHA-256 of the pixels as straight RGBA; `nil` where some are half transparent and straight values are lost.
    var hash: String?

    init(_ pixels: PixelBuffer) {
        grid = Self.grid(pixels)
        hash = Self.straight(pixels).map(SHA256.hexDigest)
    }

    /// The largest difference of any value, or `nil` for grids that do not match.
    func difference(from other: [Double]) -> Double? {
        guard other.count == grid.count else { return nil }
        return zip(grid, other).map { abs($0 - $1) }.max()
    }

    private static func grid(_ pixels: PixelBuffer) -> [Double] {
        var means: [Double] = []
        pixels.withUnsafeBytes { bytes in
            for row in 0..<8 {
                for column in 0..<8 {
                    let ys = cell(row, of: pixels.height)
                    let xs = cell(column, of: pixels.width)
                    var sums = (0, 0, 0, 0)
                    for y in ys {
                        for x in xs {
                            let start = y * pixels.bytesPerRow + x * 4
                            sums.0 += Int(bytes[start + 2])
                            sums.1 += Int(bytes[start + 1])
                            sums.2 += Int(bytes[start])
                            sums.3 += Int(bytes[start + 3])
                        }
                    }
                    let count = Double(xs.count * ys.count)
                    means += [sums.0, sums.1, sums.2, sums.3].map { Double($0) / count }
                }
            }
        }
        return means
    }

    private static func cell(_ index: Int, of side: Int) -> Range<Int> {
        let start = index * side / 8
        return start..<max(start + 1, (index + 1) * side / 8)
    }

    private static func straight(_ pixels: PixelBuffer) -> [UInt8]? {
        pixels.withUnsafeBytes { bytes in
            var straight: [UInt8] = []
            straight.reserveCapacity(pixels.width * pixels.height * 4)
            for y in 0..<pixels.height {
                for x in 0..<pixels.width {
                    let start = y * pixels.bytesPerRow + x * 4
                    let alpha = bytes[start + 3]
                    guard alpha == 0 || alpha == 255 else { return nil }
                    straight += [bytes[start + 2], bytes[start + 1], bytes[start], alpha]
                }
            }
            return straight
        }
    }
}
