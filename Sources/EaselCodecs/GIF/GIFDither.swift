/// Gives each pixel the nearest colour of a palette, and what that leaves to its neighbours that come after it.
struct GIFDither {
    private let colors: [UInt32]
    private let width: Int
    /// The nearest colour by the upper five bits of each component, as far as it was looked for; else -1.
    private var nearest = [Int16](repeating: -1, count: 1 << 15)
    /// What the row before and this one have left for each pixel, in sixteenths, with one more at either end.
    private var errors: [SIMD3<Int32>]
    private var nextErrors: [SIMD3<Int32>]

    init(colors: [UInt32], width: Int) {
        self.colors = colors
        self.width = width
        errors = Array(repeating: .zero, count: width + 2)
        nextErrors = errors
    }

    /// - Parameter pixels: row by row; 0 takes the index `transparent`.
    mutating func indices(of pixels: [UInt32], transparent: UInt8) -> [UInt8] {
        var indices: [UInt8] = []
        indices.reserveCapacity(pixels.count)
        for start in stride(from: 0, to: pixels.count, by: width) {
            for x in 0..<width {
                let pixel = pixels[start + x]
                indices.append(pixel == 0 ? transparent : index(of: pixel, at: x + 1))
            }
            swap(&errors, &nextErrors)
            for x in nextErrors.indices { nextErrors[x] = .zero }
        }
        return indices
    }

    private mutating func index(of pixel: UInt32, at place: Int) -> UInt8 {
        let wanted = Self.components(pixel) &+ (errors[place] &+ SIMD3(repeating: 8)) &>> SIMD3(repeating: 4)
        let clamped = wanted.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255))
        let index = nearestColor(to: clamped)
        let error = clamped &- Self.components(colors[index])
        errors[place + 1] &+= error &* SIMD3(repeating: 7)
        nextErrors[place - 1] &+= error &* SIMD3(repeating: 3)
        nextErrors[place] &+= error &* SIMD3(repeating: 5)
        nextErrors[place + 1] &+= error
        return UInt8(truncatingIfNeeded: index)
    }

    private mutating func nearestColor(to components: SIMD3<Int32>) -> Int {
        let slot = Int((components[0] >> 3) << 10 | (components[1] >> 3) << 5 | components[2] >> 3)
        if nearest[slot] >= 0 { return Int(nearest[slot]) }
        var best = 0
        var least = Int32.max
        for (index, color) in colors.enumerated() {
            let difference = components &- Self.components(color)
            // Green counts most, as the eye sees it.
            let distance = (difference &* difference &* SIMD3(2, 4, 1)).wrappedSum()
            if distance < least { (least, best) = (distance, index) }
        }
        nearest[slot] = Int16(truncatingIfNeeded: best)
        return best
    }

    /// Red, green, blue.
    @inline(__always)
    private static func components(_ pixel: UInt32) -> SIMD3<Int32> {
        SIMD3(Int32(pixel >> 16 & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel & 0xFF))
    }
}
