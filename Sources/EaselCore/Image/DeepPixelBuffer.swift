/// The number of bits a channel of decoded pixels.
public enum PixelDepth: String, Sendable, Hashable, CaseIterable {
    /// 8 bits a channel. HDR is tone mapped.
    case eight
    /// Additionally 16 bits a channel for a file that has more than 8, with HDR unchanged: `DecodedImage.deepPixels`. They take
    /// twice the memory, and decoding both takes about twice as long.
    case sixteen
}

/// The meaning of the numbers in deep pixels.
public enum DeepColors: Sendable, Hashable {
    /// The requested colors, up to their white.
    case standard(ColorSpace)
    /// HDR: the primaries of BT.2020 and the curve of PQ (ITU-R BT.2100), whatever primaries and curve the file has.
    case perceptualQuantizer
}

/// The pixels of one image in 16 bits a channel: R, G, B, A in memory order, premultiplied by alpha, upright, top row first,
/// in the processor's byte order.
///
/// Rows start at multiples of 64 bytes. The storage is immutable once built.
public struct DeepPixelBuffer: Sendable {
    /// The size in pixels; both sides are at least 1.
    public let size: PixelSize
    /// Bytes from the start of one row to the start of the next: a multiple of 64.
    public let bytesPerRow: Int
    /// Whether every alpha is 65,535.
    public let isOpaque: Bool
    /// The meaning of the numbers.
    public let colors: DeepColors
    private let storage: PixelStorage

    static let bytesPerPixel = 8

    /// The bytes that the pixels occupy, padding included.
    public var byteCount: Int { bytesPerRow * size.height }

    /// Allocates a buffer and lets `fill` write it before it is shared.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1; the caller has checked the limits.
    ///   - isOpaque: whether `fill` writes alpha 65,535 everywhere.
    ///   - colors: the meaning of the numbers.
    ///   - fill: receives bytes of undefined content and the bytes per row.
    /// - Throws: `ImageError.tooLarge` if the size exceeds the machine's memory, and what `fill` throws.
    public init(
        size: PixelSize, isOpaque: Bool, colors: DeepColors,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        let bytesPerRow = try PixelBuffer.bytesPerRow(of: size, bytesPerPixel: Self.bytesPerPixel)
        let storage = PixelStorage(byteCount: bytesPerRow * size.height)
        try fill(storage.bytes, bytesPerRow)
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.colors = colors
        self.storage = storage
    }

    /// Calls `body` with the bytes of all rows. The pointer must not escape.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// One pixel. To read whole images use `withUnsafeBytes`.
    ///
    /// - Precondition: the place lies inside the image.
    public subscript(x: Int, y: Int) -> DeepPixel {
        precondition(
            x >= 0 && x < size.width && y >= 0 && y < size.height, "There is no pixel at \(x), \(y) of \(size)")
        return withUnsafeBytes { bytes in
            let row = Self.words(bytes, row: y, bytesPerRow, size.width)
            return DeepPixel(red: row[x * 4], green: row[x * 4 + 1], blue: row[x * 4 + 2], alpha: row[x * 4 + 3])
        }
    }

    /// Returns the words of one row: four a pixel.
    static func words(
        _ bytes: UnsafeRawBufferPointer, row: Int, _ bytesPerRow: Int, _ width: Int
    ) -> UnsafeBufferPointer<UInt16> {
        let start = row * bytesPerRow
        return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + width * bytesPerPixel)])
            .assumingMemoryBound(to: UInt16.self)
    }
}

/// One premultiplied pixel of 16 bits a channel.
public struct DeepPixel: Sendable, Hashable {
    /// Red, premultiplied.
    public var red: UInt16
    /// Green, premultiplied.
    public var green: UInt16
    /// Blue, premultiplied.
    public var blue: UInt16
    /// 65,535 is opaque.
    public var alpha: UInt16

    /// A pixel of four premultiplied components.
    public init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }
}

extension DeepPixelBuffer {
    /// Returns a rectangle inside the image.
    func part(x: Int, y: Int, _ part: PixelSize) throws(ImageError) -> DeepPixelBuffer {
        try makeRows(of: part, isOpaque: isOpaque, isCancelled: { false }) { row, source, target in
            _ = target.update(fromContentsOf: source(y + row)[(x * 4)..<((x + part.width) * 4)])
        }
    }

    /// Returns the image scaled with the filter of 8-bit pixels, in floating point.
    func resized(to size: PixelSize, isCancelled: () -> Bool) throws(ImageError) -> DeepPixelBuffer {
        guard size != self.size else { return self }
        var resampler = LightResampler(
            self.size, extent: (Double(self.size.width), Double(self.size.height)), to: size)
        return try makeRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            let light = resampler.row(y) { row, light in
                for (place, word) in source(row).enumerated() { light[place] = Float(word) }
            }
            // The filter's overshoot is cut: alpha is full at most, and no component exceeds it.
            for place in stride(from: 0, to: target.count, by: 4) {
                let alpha = isOpaque ? 65_535 : min(max(light[place + 3], 0), 65_535).rounded()
                for channel in place..<(place + 3) {
                    target[channel] = UInt16(min(max(light[channel], 0).rounded(), alpha))
                }
                target[place + 3] = UInt16(alpha)
            }
        }
    }

    /// Returns the pixels inside a shape of the same size.
    func cut(to shape: RoundedShape, isCancelled: () -> Bool) throws(ImageError) -> DeepPixelBuffer {
        try makeRows(of: size, isOpaque: false, isCancelled: isCancelled) { y, source, target in
            _ = target.update(fromContentsOf: source(y))
            guard !shape.isWhole(row: y) else { return }
            var shares = [UInt16](repeating: 0, count: size.width)
            let covered = shape.cover(row: y, &shares)
            for x in 0..<size.width where !covered.contains(x) {
                for place in (x * 4)..<(x * 4 + 4) {
                    target[place] = UInt16((UInt32(target[place]) * UInt32(shares[x]) + 127) / 255)
                }
            }
        }
    }

    /// Makes an image of `size` whose rows `fill` writes from the rows of this one.
    private func makeRows(
        of size: PixelSize, isOpaque: Bool, isCancelled: () -> Bool,
        _ fill: (Int, _ source: (Int) -> UnsafeBufferPointer<UInt16>, UnsafeMutableBufferPointer<UInt16>) -> Void
    ) throws(ImageError) -> DeepPixelBuffer {
        try DeepPixelBuffer(size: size, isOpaque: isOpaque, colors: colors) { (bytes, rowBytes) throws(ImageError) in
            try withUnsafeBytes { (source) throws(ImageError) in
                for y in 0..<size.height {
                    if y % 16 == 0, isCancelled() { throw .cancelled }
                    let target = Self.words(UnsafeRawBufferPointer(bytes), row: y, rowBytes, size.width)
                    fill(
                        y, { Self.words(source, row: $0, bytesPerRow, self.size.width) },
                        UnsafeMutableBufferPointer(mutating: target))
                }
            }
        }
    }
}
