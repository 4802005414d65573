/// Median cut (Heckbert, 1982): the box of all colours is cut in two until there are as many boxes as there may be colours.
///
/// Colours that agree in the upper five bits of each component count as one, which has their mean.
enum GIFMedianCut {
    private struct Bin {
        var count = 0
        var sums = SIMD3<Int>.zero

        /// The mean colour: red, green, blue.
        var mean: SIMD3<Int> { sums / SIMD3(repeating: max(count, 1)) }
    }

    private struct Box {
        var bins: [Bin]
        let count: Int
        /// The component in which the box is longest, and how long it is.
        let axis: Int
        let length: Int

        init(_ bins: [Bin]) {
            self.bins = bins
            count = bins.reduce(0) { $0 + $1.count }
            var low = SIMD3<Int>(repeating: 255)
            var high = SIMD3<Int>.zero
            for bin in bins {
                low = pointwiseMin(low, bin.mean)
                high = pointwiseMax(high, bin.mean)
            }
            let sides = high &- low
            axis = (0..<3).max { sides[$0] < sides[$1] } ?? 0
            length = sides[axis]
        }

        /// How much is gained by cutting it: the error that it makes grows with its population and the square of its length.
        var weight: Int { bins.count > 1 ? count * length * length : -1 }

        /// Cut so that both halves have about as many pixels, and at least one colour.
        func halves() -> (Box, Box) {
            let sorted = bins.sorted { $0.mean[axis] < $1.mean[axis] }
            var seen = 0
            let middle = sorted.firstIndex { bin in
                seen += bin.count
                return seen * 2 >= count
            }
            let cut = min(max((middle ?? 0) + 1, 1), sorted.count - 1)
            return (Box(Array(sorted[..<cut])), Box(Array(sorted[cut...])))
        }

        var color: UInt32 {
            let sums = bins.reduce(SIMD3<Int>.zero) { $0 &+ $1.sums }
            let mean = (sums &+ SIMD3(repeating: count / 2)) / SIMD3(repeating: max(count, 1))
            return PackedPixel.opaque(
                red: UInt8(clamping: mean[0]), green: UInt8(clamping: mean[1]), blue: UInt8(clamping: mean[2]))
        }
    }

    /// At most `count` opaque colours for these opaque pixels. Pixels of 0 are none.
    static func colors(of pixels: [UInt32], count: Int) -> [UInt32] {
        var bins = [Bin](repeating: Bin(), count: 1 << 15)
        for pixel in pixels where pixel != 0 {
            let bin = index(of: pixel)
            bins[bin].count += 1
            bins[bin].sums &+= SIMD3(Int(pixel >> 16 & 0xFF), Int(pixel >> 8 & 0xFF), Int(pixel & 0xFF))
        }
        var boxes = [Box(bins.filter { $0.count > 0 })]
        while boxes.count < count {
            guard let widest = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
                boxes[widest].weight > 0
            else { break }
            let (first, second) = boxes[widest].halves()
            boxes[widest] = first
            boxes.append(second)
        }
        return boxes.map(\.color)
    }

    /// The upper five bits of each component: below 32,768.
    static func index(of pixel: UInt32) -> Int {
        let red = (pixel >> 9) & 0x7C00
        let green = (pixel >> 6) & 0x03E0
        let blue = (pixel >> 3) & 0x001F
        return Int(red | green | blue)
    }
}
