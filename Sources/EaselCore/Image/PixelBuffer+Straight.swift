extension PixelBuffer {
    /// A picture of straight R, G, B, A, of 8 bits each, as most libraries give it: for coders of one's own. It is opaque where every
    /// alpha turns out to be 255.
    ///
    /// - Parameters:
    ///   - bytes: its rows, from the top.
    ///   - bytesPerRow: from the start of one row to the start of the next.
    /// - Throws: `ImageError.badData` where there are fewer bytes, `.tooLarge` where the size does not fit the machine.
    /// - Complexity: O(pixels), about the time that a copy takes.
    public init(straightRGBA bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: PixelSize) throws(ImageError) {
        let (rowByteCount, isWide) = size.width.multipliedReportingOverflow(by: 4)
        let (skipped, isLarge) = bytesPerRow.multipliedReportingOverflow(by: max(size.height, 1) - 1)
        guard !isWide, !isLarge, bytesPerRow >= rowByteCount, rowByteCount <= bytes.count,
            skipped <= bytes.count - rowByteCount
        else { throw .badData("There are not bytes enough for a picture of \(size).") }
        var alpha: UInt8 = 255
        let pixels = try PixelBuffer(size: size, isOpaque: false) { target, targetBytesPerRow in
            for row in 0..<size.height {
                alpha &= PixelKernels.best.expandRGBA(
                    UnsafeRawBufferPointer(rebasing: bytes[(row * bytesPerRow)...]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[(row * targetBytesPerRow)...]),
                    count: size.width)
            }
        }
        self.init(pixels, isOpaque: alpha == 255)
    }
}
