import EaselCore
import Foundation

/// The filter of the resampler in floating point, pixel by pixel.
enum LanczosReference {
    /// Returns blue, green and red of each resized pixel, row by row.
    static func resized(_ source: PixelBuffer, to size: PixelSize) -> [[Double]] {
        let columns = (0..<size.width).map { weights(of: $0, from: source.width, to: size.width) }
        let rows = (0..<size.height).map { weights(of: $0, from: source.height, to: size.height) }
        let levels = (0..<source.height).map { y in
            (0..<source.width).map { x in
                let pixel = source[x, y]
                return [Double(pixel.blue), Double(pixel.green), Double(pixel.red)]
            }
        }
        // Horizontally first, unlike the resampler.
        let across = levels.map { row in columns.map { sum(row, $0) } }
        return rows.flatMap { row in
            (0..<size.width).map { x in
                sum(across.map { $0[x] }, row).map { min(max($0, 0), 255) }
            }
        }
    }

    /// Resizes one value for each pixel, without clamping.
    static func resized(_ values: [[Double]], to size: PixelSize) -> [[Double]] {
        let columns = (0..<size.width).map { weights(of: $0, from: values.first?.count ?? 0, to: size.width) }
        let rows = (0..<size.height).map { weights(of: $0, from: values.count, to: size.height) }
        let across = values.map { row in columns.map { $0.reduce(0) { $0 + row[$1.0] * $1.1 } } }
        return rows.map { row in
            (0..<size.width).map { x in row.reduce(0) { $0 + across[$1.0][x] * $1.1 } }
        }
    }

    private static func weights(of target: Int, from source: Int, to count: Int) -> [(Int, Double)] {
        let scale = Double(source) / Double(count)
        let center = (Double(target) + 0.5) * scale
        let weights = (0..<source).map { ($0, lanczos((Double($0) + 0.5 - center) / max(scale, 1))) }
        let sum = weights.reduce(0) { $0 + $1.1 }
        return weights.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        if abs(x) >= 3 { return 0 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }

    private static func sum(_ values: [[Double]], _ weights: [(Int, Double)]) -> [Double] {
        var sum = [0.0, 0.0, 0.0]
        for (index, weight) in weights {
            for channel in 0..<3 { sum[channel] += values[index][channel] * weight }
        }
        return sum
    }
}
