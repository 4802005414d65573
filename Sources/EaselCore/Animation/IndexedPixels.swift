/// Pixels of few colours in a quarter of their memory: a byte a pixel, which stands for one of at most 256 colours.
///
/// Every frame of a GIF has so few, unless it draws over what was there.
struct IndexedPixels: Sendable {
    private let size: PixelSize
    private let isOpaque: Bool
    private let colors: [UInt32]
    /// Rows from the top, without padding.
    private let indices: [UInt8]

    /// The bytes that it takes.
    var byteCount: Int { indices.count + colors.count * MemoryLayout<UInt32>.stride }

    /// `nil` for more colours, and for pixels so few that it is not worth it. No colour is changed.
    ///
    /// - Complexity: O(pixels). Of a photograph few are looked at.
    init?(_ pixels: PixelBuffer) {
        let count = pixels.width * pixels.height
        guard count >= Self.leastCount else { return nil }
        var table = ColorTable()
        var isWhole = true
        indices = [UInt8](unsafeUninitializedCapacity: count) { indices, initializedCount in
            pixels.withUnsafeBytes { bytes in
                for row in 0..<pixels.height where isWhole {
                    let start = row * pixels.bytesPerRow
                    let colors = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + pixels.width * 4)])
                    isWhole = table.look(up: colors.assumingMemoryBound(to: UInt32.self)) {
                        indices[initializedCount + $0] = $1
                    }
                    if isWhole { initializedCount += pixels.width }
                }
            }
        }
        guard isWhole else { return nil }
        size = pixels.size
        isOpaque = pixels.isOpaque
        colors = table.colors
    }

    /// The pixels as they were.
    func expanded() -> PixelBuffer? {
        try? PixelBuffer(size: size, isOpaque: isOpaque) { bytes, bytesPerRow in
            // An index may be any byte: none is out of bounds then.
            withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { table in
                table.initialize(repeating: 0)
                for (index, color) in colors.enumerated() { table[index] = color }
                indices.withUnsafeBytes { indices in
                    for row in 0..<size.height {
                        Self.expand(
                            UnsafeRawBufferPointer(rebasing: indices[(row * size.width)..<((row + 1) * size.width)]),
                            UnsafeBufferPointer(table), into: bytes[(row * bytesPerRow)...])
                    }
                }
            }
        }
    }

    /// Eight at a time: a loop over single ones takes a third longer.
    private static func expand(
        _ indices: UnsafeRawBufferPointer, _ table: UnsafeBufferPointer<UInt32>,
        into bytes: Slice<UnsafeMutableRawBufferPointer>
    ) {
        let target = UnsafeMutableRawBufferPointer(rebasing: bytes).assumingMemoryBound(to: UInt32.self)
        let whole = indices.count & ~7
        for x in stride(from: 0, to: whole, by: 8) {
            let eight = UInt64(littleEndian: indices.loadUnaligned(fromByteOffset: x, as: UInt64.self))
            for place in 0..<8 {
                target[x &+ place] = table[Int(truncatingIfNeeded: eight &>> UInt64(8 &* place)) & 255]
            }
        }
        for x in whole..<indices.count { target[x] = table[Int(indices[x])] }
    }

    /// With fewer a frame takes no more than a few pages.
    private static let leastCount = 4_096
}

/// At most 256 colours and their numbers, in the order in which they came: open addressing in a table of four times as many
/// places.
private struct ColorTable {
    private(set) var colors: [UInt32] = []
    /// The number of a colour and 1; 0 for a free place.
    private var places = [UInt16](repeating: 0, count: 1_024)

    /// Gives the number of each colour of a row.
    ///
    /// - Returns: `false` where there are too many.
    mutating func look(up row: UnsafeBufferPointer<UInt32>, _ put: (_ x: Int, _ index: UInt8) -> Void) -> Bool {
        var last: (color: UInt32, index: UInt8)?
        for x in row.indices {
            let color = row[x]
            if last?.color != color {
                guard let index = number(of: color) else { return false }
                last = (color, index)
            }
            if let last { put(x, last.index) }
        }
        return true
    }

    private mutating func number(of color: UInt32) -> UInt8? {
        var place = Int((color &* 0x9E37_79B1) >> 22)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if colors[index] == color { return UInt8(index) }
            place = (place + 1) & 1_023
        }
        guard colors.count < 256 else { return nil }
        colors.append(color)
        places[place] = UInt16(colors.count)
        return UInt8(colors.count - 1)
    }
}
