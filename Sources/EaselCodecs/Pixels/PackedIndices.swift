/// Indices of one, two, four or eight bits, the first of each byte in its upper bits, as BMP and PNG have them.
enum PackedIndices {
    /// Writes the colours of `width` pixels.
    ///
    /// - Parameters:
    ///   - row: as many bytes as the indices take.
    ///   - colors: 256, so that any byte is a valid index.
    static func look(
        up row: UnsafePointer<UInt8>, _ width: Int, _ bitCount: Int, _ colors: UnsafeBufferPointer<UInt32>,
        _ pixels: UnsafeMutablePointer<UInt32>
    ) {
        if bitCount == 8 {
            for x in 0..<width { pixels[x] = colors[Int(row[x])] }
            return
        }
        let mask = UInt8(truncatingIfNeeded: (1 << bitCount) - 1)
        for x in 0..<width {
            let bit = x &* bitCount
            let shift = 8 &- bitCount &- (bit & 7)
            pixels[x] = colors[Int(row[bit >> 3] &>> UInt8(truncatingIfNeeded: shift) & mask)]
        }
    }
}
