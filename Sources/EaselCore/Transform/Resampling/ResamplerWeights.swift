import EaselFoundation
import Synchronization

/// The contribution of each source pixel of one axis to each target pixel.
///
/// Weights are fixed-point numbers of 14 bits that add up to exactly 1, so that an even color is preserved.
struct ResamplerWeights {
    static let one = 1 << 14
    /// Source pixels after the last one that may be read.
    static let slack = 3

    /// The number of source pixels that contribute to each target pixel.
    let taps: Int
    /// From the weights of one target pixel to those of the next: a multiple of four, with zeros after `taps`.
    let stride: Int
    /// The first source pixel for each target pixel; `taps` pixels from there on are inside the source.
    let starts: [Int32]
    /// The number of source pixels that are read, at most `slack` more than there are.
    let reach: Int
    private let values: [Int16]

    /// - Parameter extent: the length in source pixels: the last one may represent less than a whole.
    init(sourceCount: Int, extent: Double, targetCount: Int) {
        let scale = extent / Double(targetCount)
        let windows = (0..<targetCount).map { Self.window(of: $0, scale: scale, sourceCount: sourceCount) }
        let taps = windows.reduce(1) { max($0, $1.weights.count) }
        let stride = (taps + 3) & ~3
        var values = [Int16](repeating: 0, count: stride * targetCount)
        starts = windows.enumerated().map { index, window in
            let start = min(window.start, sourceCount - taps)
            for (tap, weight) in window.weights.enumerated() {
                values[index * stride + window.start - start + tap] = weight
            }
            return Int32(start)
        }
        reach = Int(starts.max() ?? 0) + stride
        self.taps = taps
        self.stride = stride
        self.values = values
    }

    func weights(of target: Int) -> ArraySlice<Int16> {
        values[(target * stride)..<(target * stride + taps)]
    }

    func withUnsafeWeights(_ body: (UnsafePointer<Int32>, UnsafePointer<Int16>) -> Void) {
        starts.withUnsafeBufferPointer { starts in
            values.withUnsafeBufferPointer { values in
                guard let first = starts.baseAddress, let weights = values.baseAddress else { return }
                body(first, weights)
            }
        }
    }

    private static func window(of target: Int, scale: Double, sourceCount: Int) -> (start: Int, weights: [Int16]) {
        let center = (Double(target) + 0.5) * scale
        // When shrinking, the filter is as wide as a target pixel requires, which prevents aliasing.
        let width = max(scale, 1)
        let first = min(max(0, Int((center - 3 * width).rounded(.down))), sourceCount - 1)
        let last = max(first, min(sourceCount - 1, Int((center + 3 * width).rounded(.up))))
        let exact = (first...last).map { lanczos((Double($0) + 0.5 - center) / width) }
        return trimZeros(start: first, roundToFixedPoint(exact))
    }

    private static func lanczos(_ x: Double) -> Double {
        if x == 0 { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = Double.pi * x
        let third = sin(angle / 3)
        // The sine of an angle from that of its third.
        return 3 * third * (3 - 4 * third * third) * third / (angle * angle)
    }

    /// Returns the weights in fixed point. The largest takes the rounding error of their sum, where it shows least.
    private static func roundToFixedPoint(_ exact: [Double]) -> [Int] {
        let sum = exact.reduce(0, +)
        // At the edge of a source of a pixel or two the window may be empty.
        guard sum > 0.01, let largest = exact.indices.max(by: { exact[$0] < exact[$1] }) else {
            return exact.indices.map { $0 == exact.count / 2 ? one : 0 }
        }
        var weights = exact.map { Int(($0 / sum * Double(one)).rounded()) }
        weights[largest] += one - weights.reduce(0, +)
        return weights
    }

    /// Removes the zeros at both ends: of an axis that keeps its size one weight remains.
    private static func trimZeros(start: Int, _ weights: [Int]) -> (start: Int, weights: [Int16]) {
        let first = weights.firstIndex { $0 != 0 } ?? 0
        let last = weights.lastIndex { $0 != 0 } ?? 0
        return (start + first, weights[first...last].map { Int16(clamping: $0) })
    }
}

extension ResamplerWeights {
    private struct Axis: Equatable {
        var sourceCount: Int
        var extent: Double
        var targetCount: Int
    }

    /// The weights of the last eight axes, since the cells of a grid, and most files of a server, share a size.
    private static let recent = Mutex<[(axis: Axis, weights: ResamplerWeights)]>([])

    /// Returns the weights of an axis. Those of long axes are not cached, as they take little of the time of their
    /// images.
    static func cached(sourceCount: Int, extent: Double, targetCount: Int) -> ResamplerWeights {
        let axis = Axis(sourceCount: sourceCount, extent: extent, targetCount: targetCount)
        if let found = recent.withLock({ $0.first { $0.axis == axis }?.weights }) { return found }
        let weights = ResamplerWeights(sourceCount: sourceCount, extent: extent, targetCount: targetCount)
        guard max(sourceCount, targetCount) <= 2_048 else { return weights }
        recent.withLock { recent in
            recent.append((axis, weights))
            if recent.count > 8 { recent.removeFirst() }
        }
        return weights
    }
}
