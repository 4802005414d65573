/// What transforms do to pixels of 16 bits a channel, as they do it to those of 8.
extension DeepPixelBuffer {
    /// A rectangle of the picture, which lies inside of it.
    func part(x: Int, y: Int, _ part: PixelSize) throws(ImageError) -> DeepPixelBuffer {
        try DeepPixelBuffer(size: part, isOpaque: isOpaque, colors: colors) { target, targetBytesPerRow in
            withUnsafeBytes { source in
                for row in 0..<part.height {
                    let start = (y + row) * bytesPerRow + x * Self.bytesPerPixel
                    let end = start + part.width * Self.bytesPerPixel
                    UnsafeMutableRawBufferPointer(rebasing: target[(row * targetBytesPerRow)...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<end]))
                }
            }
        }
    }

    /// The picture scaled by the filter that pixels of 8 bits are scaled by, in floating point.
    func resized(to size: PixelSize, isCancelled: () -> Bool) throws(ImageError) -> DeepPixelBuffer {
        guard size != self.size else { return self }
        var resampler = LightResampler(
            self.size, extent: (Double(self.size.width), Double(self.size.height)), to: size)
        return try DeepPixelBuffer(size: size, isOpaque: isOpaque, colors: colors) {
            (bytes, targetBytesPerRow) throws(ImageError) in
            for y in 0..<size.height {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                let row = Self.words(bytes, row: y, bytesPerRow: targetBytesPerRow, width: size.width)
                resampler.row(y, { read($0, into: $1) }) { take($0, into: row) }
            }
        }
    }

    /// What lies inside of a shape of the same size.
    func cut(to shape: RoundedShape, isCancelled: () -> Bool) throws(ImageError) -> DeepPixelBuffer {
        try DeepPixelBuffer(size: size, isOpaque: false, colors: colors) { (bytes, _) throws(ImageError) in
            withUnsafeBytes { bytes.copyMemory(from: $0) }
            for y in 0..<size.height where !shape.isWhole(row: y) {
                if isCancelled() { throw .cancelled }
                let row = Self.words(bytes, row: y, bytesPerRow: bytesPerRow, width: size.width)
                var shares = [UInt16](repeating: 0, count: size.width)
                let covered = shape.cover(row: y, &shares)
                for x in 0..<size.width where !covered.contains(x) {
                    for place in (x * 4)..<(x * 4 + 4) {
                        row[place] = UInt16((UInt32(row[place]) * UInt32(shares[x]) + 127) / 255)
                    }
                }
            }
        }
    }

    private func read(_ y: Int, into light: UnsafeMutableBufferPointer<Float>) {
        withUnsafeBytes { bytes in
            let start = y * bytesPerRow
            let words = bytes[start..<(start + size.width * Self.bytesPerPixel)].assumingMemoryBound(to: UInt16.self)
            for (place, word) in words.enumerated() { light[place] = Float(word) }
        }
    }

    /// The filter's overshoot is cut: alpha is full at most, and no component is above it.
    private func take(_ light: [Float], into row: UnsafeMutableBufferPointer<UInt16>) {
        for place in stride(from: 0, to: row.count, by: 4) {
            let alpha = isOpaque ? 65_535 : min(max(light[place + 3], 0), 65_535).rounded()
            for channel in place..<(place + 3) { row[channel] = UInt16(min(max(light[channel], 0).rounded(), alpha)) }
            row[place + 3] = UInt16(alpha)
        }
    }

    private static func words(
        _ bytes: UnsafeMutableRawBufferPointer, row: Int, bytesPerRow: Int, width: Int
    ) -> UnsafeMutableBufferPointer<UInt16> {
        let start = row * bytesPerRow
        return UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + width * bytesPerPixel)])
            .assumingMemoryBound(to: UInt16.self)
    }

    private static var bytesPerPixel: Int { PixelRows.deepByteCount }
}
