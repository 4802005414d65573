import EaselCore

/// The input of encoders: straight pixels in rows without padding.
struct StraightPixels: ~Copyable {
    enum Order {
        case bgra
        case rgba
        /// No alpha, for opaque images.
        case rgb

        var bytesPerPixel: Int { self == .rgb ? 3 : 4 }
    }

    let memory: ScratchMemory

    /// - Throws: `ImageError.tooLarge` if memory runs out.
    init(_ pixels: PixelBuffer, _ order: Order) throws(ImageError) {
        let bytesPerRow = pixels.width * order.bytesPerPixel
        let memory = try ScratchMemory(count: bytesPerRow * pixels.height, for: pixels.size)
        let target = memory.bytes
        pixels.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress, let start = target.baseAddress else { return }
            for y in 0..<pixels.height {
                let row = source.advanced(by: y * pixels.bytesPerRow).assumingMemoryBound(to: UInt32.self)
                Self.convert(row, count: pixels.width, order, to: start.advanced(by: y * bytesPerRow))
            }
        }
        self.memory = memory
    }

    consuming func takeMemory() -> ScratchMemory { memory }

    private static func convert(
        _ row: UnsafePointer<UInt32>, count: Int, _ order: Order, to target: UnsafeMutableRawPointer
    ) {
        switch order {
        case .bgra:
            let place = target.assumingMemoryBound(to: UInt32.self)
            for x in 0..<count { place[x] = PackedPixel.straight(row[x]) }
        case .rgba:
            let place = target.assumingMemoryBound(to: UInt32.self)
            for x in 0..<count { place[x] = RGBARows.swapped(PackedPixel.straight(row[x])) }
        case .rgb:
            let place = target.assumingMemoryBound(to: UInt8.self)
            for x in 0..<count {
                place[x * 3] = UInt8(truncatingIfNeeded: row[x] >> 16)
                place[x * 3 + 1] = UInt8(truncatingIfNeeded: row[x] >> 8)
                place[x * 3 + 2] = UInt8(truncatingIfNeeded: row[x])
            }
        }
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
                    let place = row + (x &* channels &+ channel) &* 2
                    place[0] = UInt8(truncatingIfNeeded: value >> 8)
                    place[1] = UInt8(truncatingIfNeeded: value)
                }
            }
        }
    }
}
