import EaselCore

/// A picture as encoders take it: not premultiplied, rows without padding.
struct StraightPixels: ~Copyable {
    /// In which order the components lie in memory.
    enum Order {
        case bgra
        case rgba
    }

    let memory: ScratchMemory

    /// - Throws: `ImageError.tooLarge` where the machine has no room.
    init(_ pixels: PixelBuffer, _ order: Order) throws(ImageError) {
        let memory = try ScratchMemory(count: pixels.width * pixels.height * 4, for: pixels.size)
        let target = memory.bytes
        pixels.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress, let start = target.baseAddress else { return }
            for y in 0..<pixels.height {
                let row = source.advanced(by: y * pixels.bytesPerRow).assumingMemoryBound(to: UInt32.self)
                let place = start.advanced(by: y * pixels.width * 4).assumingMemoryBound(to: UInt32.self)
                switch order {
                case .bgra: for x in 0..<pixels.width { place[x] = PackedPixel.straight(row[x]) }
                case .rgba: for x in 0..<pixels.width { place[x] = RGBARows.swapped(PackedPixel.straight(row[x])) }
                }
            }
        }
        self.memory = memory
    }
}
