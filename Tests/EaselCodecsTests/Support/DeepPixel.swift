import EaselCore

/// One premultiplied pixel of 16 bits per channel.
struct DeepPixel: Hashable {
    var red: UInt16
    var green: UInt16
    var blue: UInt16
    var alpha: UInt16
}

extension DeepPixelBuffer {
    subscript(x: Int, y: Int) -> DeepPixel {
        withUnsafeBytes { $0.load(fromByteOffset: y * bytesPerRow + x * 8, as: DeepPixel.self) }
    }
}
