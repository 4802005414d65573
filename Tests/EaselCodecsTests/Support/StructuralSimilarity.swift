import EaselCore

extension PixelBuffer {
    /// Returns the mean structural similarity of the lightness of two images of the same size, in windows of 8 x 8
    /// pixels at every fourth position (Wang and others, 2004). 1 is equal.
    func structuralSimilarity(to other: PixelBuffer) -> Double {
        let (a, b) = (lightness, other.lightness)
        let side = min(8, width, height)
        var sum = 0.0
        var count = 0.0
        for top in stride(from: 0, through: height - side, by: 4) {
            for left in stride(from: 0, through: width - side, by: 4) {
                sum += Self.similarity(a, b, left, top, side, width)
                count += 1
            }
        }
        return sum / count
    }

    private var lightness: [Double] {
        withUnsafeBytes { bytes in
            (0..<height).flatMap { y in
                (0..<width).map { x in
                    let start = y * bytesPerRow + x * 4
                    return Double(bytes[start]) * 0.114 + Double(bytes[start + 1]) * 0.587
                        + Double(bytes[start + 2]) * 0.299
                }
            }
        }
    }

    private static func similarity(
        _ a: [Double], _ b: [Double], _ left: Int, _ top: Int, _ side: Int, _ width: Int
    ) -> Double {
        var sums = (a: 0.0, b: 0.0, aa: 0.0, bb: 0.0, ab: 0.0)
        for y in top..<(top + side) {
            for x in left..<(left + side) {
                let (first, second) = (a[y * width + x], b[y * width + x])
                sums.a += first
                sums.b += second
                sums.aa += first * first
                sums.bb += second * second
                sums.ab += first * second
            }
        }
        let count = Double(side * side)
        let (meanA, meanB) = (sums.a / count, sums.b / count)
        let (varianceA, varianceB) = (sums.aa / count - meanA * meanA, sums.bb / count - meanB * meanB)
        let covariance = sums.ab / count - meanA * meanB
        let (c1, c2) = (6.5025, 58.5225)
        return (2 * meanA * meanB + c1) * (2 * covariance + c2)
            / ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
    }
}
