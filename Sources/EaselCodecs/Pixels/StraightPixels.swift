import EaselCore

/// The component order of straight pixels, the input of encoders.
enum StraightOrder {
    case bgra
    case rgba
    /// No alpha, for opaque images.
    case rgb

    var bytesPerPixel: Int { self == .rgb ? 3 : 4 }

    /// Converts premultiplied pixels.
    func convert(_ row: UnsafeBufferPointer<UInt32>, to target: UnsafeMutableRawPointer) {
        switch self {
        case .bgra:
            let pixels = target.assumingMemoryBound(to: UInt32.self)
            for x in row.indices { pixels[x] = PremultipliedPixel.unpremultiply(row[x]) }
        case .rgba:
            let pixels = target.assumingMemoryBound(to: UInt32.self)
            for x in row.indices { pixels[x] = RGBARows.swapped(PremultipliedPixel.unpremultiply(row[x])) }
        case .rgb:
            let samples = target.assumingMemoryBound(to: UInt8.self)
            for x in row.indices {
                samples[x * 3] = UInt8(truncatingIfNeeded: row[x] >> 16)
                samples[x * 3 + 1] = UInt8(truncatingIfNeeded: row[x] >> 8)
                samples[x * 3 + 2] = UInt8(truncatingIfNeeded: row[x])
            }
        }
    }
}

extension ScratchMemory {
    /// Copies an image as straight pixels, in rows without padding.
    ///
    /// - Throws: `ImageError.tooLarge` if the size overflows.
    init(straight pixels: PixelBuffer, _ order: StraightOrder) throws(ImageError) {
        let bytesPerRow = pixels.width * order.bytesPerPixel
        try self.init(count: bytesPerRow * pixels.height, for: pixels.size)
        guard let start = bytes.baseAddress else { return }
        for y in 0..<pixels.height { pixels.withRow(y) { order.convert($0, to: start + y * bytesPerRow) } }
    }
}

extension DeepPixelBuffer {
    /// Writes a row in file format: straight R, G, B and, for four channels, A, as big-endian words.
    ///
    /// - Parameter row: has room for two bytes for each channel of all pixels.
    func copyStraightRow(_ y: Int, channels: Int, into row: UnsafeMutablePointer<UInt8>) {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            let words = start.advanced(by: y * bytesPerRow).assumingMemoryBound(to: UInt16.self)
            for x in 0..<size.width {
                let pixel = words + x &* 4
                let alpha = UInt32(pixel[3])
                for channel in 0..<channels {
                    var value = UInt32(pixel[channel])
                    if channel < 3, alpha < 65_535 {
                        value = alpha == 0 ? 0 : min((value &* 65_535 &+ alpha / 2) / alpha, 65_535)
                    }
                    let output = row + (x &* channels &+ channel) &* 2
                    output[0] = UInt8(truncatingIfNeeded: value >> 8)
                    output[1] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
    }
}
