import EaselCore
import EaselTesting
import Foundation

/// Small images for tests.
enum Images {
    static func black(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try .drawn(width, height, isOpaque: true) { _, _ in Pixel(blue: 0, green: 0, red: 0, alpha: 255) }
    }

    /// Returns smoothly changing colors.
    static func gradient(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try .drawn(width, height, isOpaque: true) { x, y in
            Pixel(
                blue: UInt8((x + y) * 255 / max(1, width + height - 2)), green: UInt8(y * 255 / max(1, height - 1)),
                red: UInt8(x * 255 / max(1, width - 1)), alpha: 255)
        }
    }

    /// Returns every alpha from clear to opaque across, with every color valid for it down.
    static func translucent(_ width: Int, _ height: Int) throws -> PixelBuffer {
        try .drawn(width, height, isOpaque: false) { x, y in
            let alpha = x * 255 / max(1, width - 1)
            let color = UInt8(alpha * y / max(1, height - 1))
            return Pixel(blue: color, green: UInt8(alpha) - color, red: UInt8(alpha / 2), alpha: UInt8(alpha))
        }
    }

    /// Returns pseudo-random pixels that depend only on the seed.
    static func noise(_ width: Int, _ height: Int, seed: UInt64) throws -> PixelBuffer {
        var random = SeededGenerator(seed: seed)
        return try .drawn(width, height, isOpaque: true) { _, _ in
            let bits = random.next()
            return Pixel(
                blue: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                red: UInt8(truncatingIfNeeded: bits >> 16), alpha: 255)
        }
    }
}

extension PixelBuffer {
    /// All pixels, row by row.
    var pixels: [Pixel] {
        (0..<height).flatMap { y in (0..<width).map { x in self[x, y] } }
    }

    /// Returns whether all pixels are equal. In debug builds, hundreds of times faster than pixel by pixel.
    func hasSamePixels(as other: PixelBuffer) -> Bool {
        guard size == other.size else { return false }
        return withUnsafeBytes { bytes in
            other.withUnsafeBytes { otherBytes in
                (0..<height).allSatisfy { y in
                    let start = y * bytesPerRow
                    return bytes[start..<(start + width * 4)].elementsEqualInMemory(
                        otherBytes[start..<(start + width * 4)])
                }
            }
        }
    }

    /// The number of rows from the top up to the last one that is not entirely zero.
    var visibleRows: Int {
        let clear = [UInt8](repeating: 0, count: width * 4)
        return withUnsafeBytes { bytes in
            clear.withUnsafeBytes { clear in
                (0..<height).last { y in
                    let start = y * bytesPerRow
                    return !bytes[start..<(start + width * 4)].elementsEqualInMemory(clear[...])
                }.map { $0 + 1 } ?? 0
            }
        }
    }

    /// Returns the largest difference of any component of any pixel from another image of the same size.
    func largestDifference(from other: PixelBuffer) -> Int {
        zip(pixels, other.pixels).reduce(0) { largest, pair in
            let (a, b) = pair
            let differences = [
                abs(Int(a.blue) - Int(b.blue)), abs(Int(a.green) - Int(b.green)), abs(Int(a.red) - Int(b.red)),
                abs(Int(a.alpha) - Int(b.alpha)),
            ]
            return differences.reduce(largest, max)
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate func elementsEqualInMemory(_ other: Self) -> Bool {
        let (a, b) = (UnsafeRawBufferPointer(rebasing: self), UnsafeRawBufferPointer(rebasing: other))
        guard a.count == b.count, let first = a.baseAddress, let second = b.baseAddress else {
            return a.count == b.count
        }
        return memcmp(first, second, a.count) == 0
    }
}
