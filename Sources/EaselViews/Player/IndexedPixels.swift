import EaselCore

/// Pixels of at most 256 colors, such as most frames of a GIF, with one byte per pixel.
struct IndexedPixels: Sendable {
    private let size: PixelSize
    private let isOpaque: Bool
    private let colors: [UInt32]
    /// Rows from the top, without padding.
    private let indices: [UInt8]

    var byteCount: Int { indices.count + colors.count * MemoryLayout<UInt32>.stride }

    /// Lossless. `nil` for more colors, and for images of only a few pages of memory.
    init?(_ pixels: PixelBuffer) {
        let count = pixels.width * pixels.height
        guard count >= 4_096 else { return nil }
        var table = ColorTable()
        indices = [UInt8](unsafeUninitializedCapacity: count) { indices, initializedCount in
            pixels.withUnsafeBytes { bytes in
                let first = bytes.load(as: UInt32.self)
                var last = (color: first, index: table.number(of: first))
                for y in 0..<pixels.height {
                    for x in 0..<pixels.width {
                        let color = bytes.load(fromByteOffset: y * pixels.bytesPerRow + x * 4, as: UInt32.self)
                        if color != last.color { last = (color, table.number(of: color)) }
                        guard let index = last.index else { return }
                        indices[initializedCount] = index
                        initializedCount += 1
                    }
                }
            }
        }
        guard indices.count == count else { return nil }
        size = pixels.size
        isOpaque = pixels.isOpaque
        colors = table.colors
    }

    func expand() -> PixelBuffer? {
        // 256 colors, so that no index is out of bounds.
        let table = colors + [UInt32](repeating: 0, count: 256 - colors.count)
        return try? table.withUnsafeBufferPointer { (table) throws(ImageError) in
            try PixelBuffer(size: size, isOpaque: isOpaque) { bytes, bytesPerRow in
                for y in 0..<size.height {
                    let row = UnsafeMutableRawBufferPointer(rebasing: bytes[(y * bytesPerRow)...])
                        .assumingMemoryBound(to: UInt32.self)
                    for x in 0..<size.width { row[x] = table[Int(indices[y * size.width + x])] }
                }
            }
        }
    }
}

/// At most 256 colors with numbers in their order of appearance: a hash table with open addressing.
private struct ColorTable {
    private(set) var colors: [UInt32] = []
    /// The number of a color plus 1; 0 for a free slot.
    private var slots = [UInt16](repeating: 0, count: 1_024)

    /// Returns the number of a color, or `nil` for the 257th.
    mutating func number(of color: UInt32) -> UInt8? {
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if colors[index] == color { return UInt8(index) }
            slot = (slot + 1) & 1_023
        }
        guard colors.count < 256 else { return nil }
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        return UInt8(colors.count - 1)
    }
}
