import EaselCore

/// A picture as encoders take it: not premultiplied, rows without padding.
struct StraightPixels: ~Copyable {
    /// In which order the components lie in memory.
    enum Order {
        case bgra
        case rgba
        /// Without alpha: for pictures that are opaque.
        case rgb

        var bytesPerPixel: Int { self == .rgb ? 3 : 4 }
    }

    let memory: ScratchMemory

    /// - Throws: `ImageError.tooLarge` where the machine has no room.
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

    /// The pixels alone, for who keeps others in the same way.
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
