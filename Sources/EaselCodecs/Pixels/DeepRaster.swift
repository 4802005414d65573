import EaselCore

/// An image of 16 bits per channel during decoding: rows of straight R, G, B, A, as stored in the file.
struct DeepRaster: ~Copyable {
    let size: PixelSize
    private let memory: PooledBlock

    /// Allocates an image of undefined content. Throws `ImageError.tooLarge` if the size exceeds the machine's memory.
    init(_ size: PixelSize) throws(ImageError) {
        let bytesPerRow = try PixelBuffer.bytesPerRow(of: size, bytesPerPixel: DeepPixelBuffer.bytesPerPixel)
        self.size = size
        memory = PooledBlock(byteCount: bytesPerRow * size.height)
    }

    var bytesPerRow: Int { (size.width * DeepPixelBuffer.bytesPerPixel + 63) & ~63 }

    /// All rows. The pointer must not outlive this value.
    var words: UnsafeMutableBufferPointer<UInt16> { memory.bytes.assumingMemoryBound(to: UInt16.self) }

    /// Returns the words of one row: four per pixel.
    func row(_ y: Int) -> UnsafeMutableBufferPointer<UInt16> {
        let start = y * bytesPerRow / 2
        return UnsafeMutableBufferPointer(rebasing: words[start..<(start + size.width * 4)])
    }

    /// Returns the image scaled to `target`, converted row by row and premultiplied, not turned upright.
    ///
    /// - Parameter convert: converts a row of straight words in place.
    borrowing func pixels(
        of target: PixelSize, hasAlpha: Bool, colors: DeepColors, isCancelled: () -> Bool,
        convert: (UnsafeMutableBufferPointer<UInt16>) -> Void
    ) throws(ImageError) -> DeepPixelBuffer {
        var resampler = target == size ? nil : LightResampler(size, to: target)
        return try DeepPixelBuffer(size: target, isOpaque: !hasAlpha, colors: colors) {
            (bytes, bytesPerRow) throws(ImageError) in
            for y in 0..<target.height {
                if y % 16 == 0, isCancelled() { throw .cancelled }
                let start = y * bytesPerRow
                let row = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + target.width * 8)])
                    .bindMemory(to: UInt16.self)
                if let light = resampler?.row(y, { Self.premultiply(self.row($0), into: $1) }) {
                    Self.straighten(light, into: row)
                } else {
                    _ = row.update(fromContentsOf: self.row(y))
                }
                convert(row)
                if hasAlpha { Self.premultiply(row) } else { Self.makeOpaque(row) }
            }
        }
    }

    private static func premultiply(
        _ row: UnsafeMutableBufferPointer<UInt16>, into light: UnsafeMutableBufferPointer<Float>
    ) {
        for index in stride(from: 0, to: row.count, by: 4) {
            let alpha = Float(row[index + 3])
            for channel in 0..<3 { light[index + channel] = Float(row[index + channel]) * (alpha / 65_535) }
            light[index + 3] = alpha
        }
    }

    /// Clamps the filter's overshoot: no color exceeds white, and no alpha is more than full.
    private static func straighten(_ light: [Float], into row: UnsafeMutableBufferPointer<UInt16>) {
        for index in stride(from: 0, to: row.count, by: 4) {
            let alpha = min(max(light[index + 3], 0), 65_535)
            for channel in 0..<3 {
                let value = alpha < 0.5 ? 0 : light[index + channel] * (65_535 / alpha)
                row[index + channel] = UInt16(min(max(value, 0), 65_535).rounded())
            }
            row[index + 3] = UInt16(alpha.rounded())
        }
    }

    private static func premultiply(_ row: UnsafeMutableBufferPointer<UInt16>) {
        for index in stride(from: 0, to: row.count, by: 4) where row[index + 3] != .max {
            let alpha = UInt64(row[index + 3])
            for channel in 0..<3 {
                row[index + channel] = UInt16((UInt64(row[index + channel]) * alpha + 32_767) / 65_535)
            }
        }
    }

    private static func makeOpaque(_ row: UnsafeMutableBufferPointer<UInt16>) {
        for index in stride(from: 3, to: row.count, by: 4) { row[index] = .max }
    }
}
