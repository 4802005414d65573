/// How finely the colours of decoded pixels are told.
public enum PixelDepth: String, Sendable, Hashable, CaseIterable {
    /// 8 bits a channel: what every toolkit takes. HDR is tone mapped.
    case eight
    /// Beside those, 16 bits a channel of a file that has more than 8, HDR as it is: `DecodedImage.deepPixels`. They take twice
    /// the memory of the others, and a decode of both takes about twice as long.
    case sixteen
}

/// What the numbers of deep pixels stand for.
public enum DeepColors: Sendable, Hashable {
    /// The colours that were asked for, up to their white.
    case standard(ColorSpace)
    /// HDR: the primaries of BT.2020 and the curve of PQ (ITU-R BT.2100), whatever primaries and curve the file has.
    case perceptualQuantizer
}

/// The pixels of one picture in 16 bits a channel: R, G, B, A in memory order, premultiplied by alpha, upright, top row first;
/// words as the processor has them.
///
/// Rows start at multiples of 64 bytes, and the storage never changes once it is built, as that of a `PixelBuffer`.
public struct DeepPixelBuffer: Sendable {
    /// The size in pixels; both sides are at least 1.
    public let size: PixelSize
    /// Bytes from the start of one row to the start of the next: a multiple of 64.
    public let bytesPerRow: Int
    /// Whether every alpha is 65,535.
    public let isOpaque: Bool
    /// What the numbers stand for.
    public let colors: DeepColors
    private let storage: PixelStorage

    /// The bytes that the pixels occupy, padding included.
    public var byteCount: Int { bytesPerRow * size.height }

    /// Allocates a buffer and lets `fill` write it, before anyone else can see it.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1; the caller has checked the limits.
    ///   - isOpaque: whether `fill` writes alpha 65,535 everywhere.
    ///   - colors: what the numbers stand for.
    ///   - fill: receives bytes whose content is undefined, and the bytes per row.
    /// - Throws: `ImageError.tooLarge` where the size does not fit the machine, and what `fill` throws.
    public init(
        size: PixelSize, isOpaque: Bool, colors: DeepColors,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        let bytesPerRow = try PixelBuffer.bytesPerRow(of: size, bytesPerPixel: 8)
        let storage = PixelStorage(byteCount: bytesPerRow * size.height)
        try fill(storage.bytes, bytesPerRow)
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.colors = colors
        self.storage = storage
    }

    /// The bytes of all rows. The pointer must not leave `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// One pixel, for tests and for tools.
    ///
    /// - Precondition: the place lies inside the picture.
    public subscript(x: Int, y: Int) -> DeepPixel {
        precondition(
            x >= 0 && x < size.width && y >= 0 && y < size.height, "There is no pixel at \(x), \(y) of \(size)")
        return withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt16 {
                bytes.load(fromByteOffset: y * bytesPerRow + x * 8 + index * 2, as: UInt16.self)
            }
            return DeepPixel(red: word(0), green: word(1), blue: word(2), alpha: word(3))
        }
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
