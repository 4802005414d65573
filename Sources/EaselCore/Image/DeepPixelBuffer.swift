/// The number of bits per channel of decoded pixels.
public enum PixelDepth: String, Sendable, Hashable, CaseIterable {
    /// 8 bits per channel. HDR is tone mapped.
    case eight
    /// Additionally 16 bits per channel for a file that has more than 8, with HDR unchanged, and for a file with a gain
    /// map, with the map applied: `DecodedImage.deepPixels`.
    /// They take twice the memory, and decoding both takes about twice as long.
    case sixteen
}

/// The meaning of the numbers in deep pixels.
public enum DeepColors: Sendable, Hashable {
    /// The requested colors, up to their white.
    case standard(ColorSpace)
    /// HDR: the primaries of BT.2020 and the curve of PQ (ITU-R BT.2100), whatever primaries and curve the file has.
    case perceptualQuantizer
}

/// The pixels of one image in 16 bits per channel: R, G, B, A in memory order, premultiplied by alpha, upright, top row
/// first, in the processor's byte order.
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

    package static let bytesPerPixel = 8

    package var byteCount: Int { bytesPerRow * size.height }

    /// Allocates a buffer and lets `fill` write it before it is shared.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1; the caller has checked the limits.
    ///   - isOpaque: whether `fill` writes alpha 65,535 everywhere.
    ///   - colors: the meaning of the numbers.
    ///   - fill: receives bytes of undefined content and the bytes per row.
    /// - Throws: `ImageError.tooLarge` if the size exceeds the machine's memory, and the errors of `fill`.
    package init(
        size: PixelSize, isOpaque: Bool, colors: DeepColors,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        bytesPerRow = try PixelBuffer.bytesPerRow(of: size, bytesPerPixel: Self.bytesPerPixel)
        storage = PixelStorage(byteCount: bytesPerRow * size.height)
        try fill(storage.bytes, bytesPerRow)
        self.size = size
        self.isOpaque = isOpaque
        self.colors = colors
    }

    /// Calls `body` with the bytes of all rows. The pointer must not escape.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(storage.bytes))
    }
}

extension DeepPixelBuffer: PixelImage {
    package typealias Word = SIMD4<UInt16>

    package func makeImage(
        of size: PixelSize, isOpaque: Bool,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) -> DeepPixelBuffer {
        try DeepPixelBuffer(size: size, isOpaque: isOpaque, colors: colors, fill: fill)
    }

    package static func scale(_ pixel: Word, by factor: UInt32) -> Word {
        Word(truncatingIfNeeded: (SIMD4<UInt32>(truncatingIfNeeded: pixel) &* factor &+ 127) / 255)
    }

    /// Returns the image scaled with the filter of 8-bit pixels, in floating point.
    func resized(to size: PixelSize, isCancelled: () -> Bool) throws(ImageError) -> DeepPixelBuffer {
        guard size != self.size else { return self }
        let width = self.size.width
        var resampler = LightResampler(self.size, to: size)
        return try drawRows(of: size, isOpaque: isOpaque, isCancelled: isCancelled) { y, source, target in
            let light = resampler.row(y) { row, light in
                let words = UnsafeRawPointer(source[row]).assumingMemoryBound(to: UInt16.self)
                for index in 0..<(width * 4) { light[index] = Float(words[index]) }
            }
            // Clamps the filter's overshoot: alpha is full at most, and no component exceeds it.
            for x in 0..<size.width {
                var pixel = SIMD4(light[x * 4], light[x * 4 + 1], light[x * 4 + 2], light[x * 4 + 3])
                pixel.w = isOpaque ? 65_535 : min(max(pixel.w, 0), 65_535).rounded()
                let limit = SIMD4(repeating: pixel.w)
                target[x] = Word(pixel.clamped(lowerBound: .zero, upperBound: limit).rounded(.toNearestOrAwayFromZero))
            }
        }
    }
}
