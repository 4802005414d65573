import Synchronization

import EaselFoundation

/// The pixels of one picture: 8-bit B, G, R, A in memory order, premultiplied by alpha, upright, top row first. Their
/// colours are sRGB, but for a picture that was asked for in others: `ImageMetadata.colorSpace` tells.
///
/// Rows start at multiples of 64 bytes. The storage never changes once it is built, so a buffer can be shared between
/// threads, handed to a toolkit without a copy, and kept by a cache.
public struct PixelBuffer: Sendable {
    /// The size in pixels; both sides are at least 1.
    public let size: PixelSize
    /// Bytes from the start of one row to the start of the next: a multiple of 64.
    public let bytesPerRow: Int
    /// Whether every alpha is 255. `false` may be wrong on the safe side: pixels *can* be transparent.
    public let isOpaque: Bool
    /// A variable because only of one can it be told whether it is the only reference.
    private var storage: PixelStorage

    /// Pixels across.
    public var width: Int { size.width }
    /// Pixels down.
    public var height: Int { size.height }
    /// The bytes that the pixels occupy, padding included: what a cache counts.
    public var byteCount: Int { bytesPerRow * height }

    /// Allocates a buffer and lets `fill` write it, before anyone else can see it.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1; the caller has checked the limits.
    ///   - isOpaque: whether `fill` writes alpha 255 everywhere.
    ///   - fill: receives the zeroed or recycled bytes (their content is undefined) and the bytes per row.
    /// - Throws: `ImageError.tooLarge` where the size does not fit the machine, and what `fill` throws.
    public init(
        size: PixelSize, isOpaque: Bool,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        let bytesPerRow = try Self.bytesPerRow(of: size)
        let storage = PixelStorage(byteCount: bytesPerRow * size.height)
        try fill(storage.bytes, bytesPerRow)
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// The same pixels, with what is known of their opacity corrected after they were looked at. No copy.
    public init(_ other: PixelBuffer, isOpaque: Bool) {
        self.init(other.storage, size: other.size, bytesPerRow: other.bytesPerRow, isOpaque: isOpaque)
    }

    /// A copy of all rows as a buffer has them in memory; `nil` where they do not fill it exactly.
    init?(copying rows: Data, size: PixelSize, isOpaque: Bool) {
        guard let bytesPerRow = try? Self.bytesPerRow(of: size), rows.count == bytesPerRow * size.height else {
            return nil
        }
        let storage = PixelStorage(byteCount: rows.count)
        rows.copyBytes(to: storage.bytes)
        self.init(storage, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque)
    }

    private init(_ storage: PixelStorage, size: PixelSize, bytesPerRow: Int, isOpaque: Bool) {
        self.size = size
        self.bytesPerRow = bytesPerRow
        self.isOpaque = isOpaque
        self.storage = storage
    }

    /// A way back to these pixels that does not keep them, or `nil` where nobody else holds them.
    mutating func weakReference() -> (@Sendable () -> PixelBuffer?)? {
        guard !isKnownUniquelyReferenced(&storage) else { return nil }
        storage.hasWayBack.store(true, ordering: .relaxed)
        return { [weak storage, size, bytesPerRow, isOpaque] in
            storage.map { PixelBuffer($0, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque) }
        }
    }

    /// These pixels after `change` has written the bytes of all rows, as the function `change` does it. For the steps of
    /// decoding, which hand a picture on from one to the next.
    ///
    /// - Throws: what `change` throws; the pixels are lost then.
    package consuming func changed(
        _ change: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) -> PixelBuffer {
        try self.change(keepsContent: true, change)
        return self
    }

    /// Lets `change` write the bytes of all rows: where they are if nobody else holds them or can come back to them, else in a
    /// copy.
    ///
    /// - Parameter keepsContent: `false` where `change` writes every pixel: then there is only new room, and no copy.
    /// - Throws: what `change` throws; what it has written until then stays.
    package mutating func change(
        keepsContent: Bool, _ change: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        if !isHeldHereAlone() {
            let other = PixelStorage(byteCount: byteCount)
            if keepsContent { other.bytes.copyMemory(from: UnsafeRawBufferPointer(storage.bytes)) }
            storage = other
        }
        try change(storage.bytes)
    }

    private mutating func isHeldHereAlone() -> Bool {
        guard isKnownUniquelyReferenced(&storage) else { return false }
        // Others may have read the pixels, or have made a way back to them, just before they let go.
        atomicMemoryFence(ordering: .acquiring)
        return !storage.hasWayBack.load(ordering: .relaxed)
    }

    /// The bytes of all rows. The pointer must not leave `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// One pixel, for tests and for tools; whole pictures are read row by row through `withUnsafeBytes`.
    ///
    /// - Precondition: the place lies inside the picture.
    public subscript(x: Int, y: Int) -> Pixel {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "There is no pixel at \(x), \(y) of \(size)")
        return withUnsafeBytes { bytes in
            let start = y * bytesPerRow + x * 4
            return Pixel(
                blue: bytes[start], green: bytes[start + 1], red: bytes[start + 2], alpha: bytes[start + 3])
        }
    }

    /// Checked because the size may come from a hostile header, and an allocation that cannot be made ends the process.
    static func bytesPerRow(of size: PixelSize, bytesPerPixel: Int = 4) throws(ImageError) -> Int {
        let largest = largestByteCount
        let excess = ImageError.tooLarge(.pixels(size, limit: largest / bytesPerPixel))
        guard size.width > 0, size.height > 0, size.width <= largest / bytesPerPixel else { throw excess }
        let bytesPerRow = (size.width * bytesPerPixel + 63) & ~63
        guard size.height <= largest / bytesPerRow else { throw excess }
        return bytesPerRow
    }

    /// Asked for once: it is a system call.
    private static let largestByteCount = MemoryAllowance.ofProcess.byteCount
}

/// One premultiplied pixel in memory order.
public struct Pixel: Sendable, Hashable {
    /// Blue, premultiplied.
    public var blue: UInt8
    /// Green, premultiplied.
    public var green: UInt8
    /// Red, premultiplied.
    public var red: UInt8
    /// 255 is opaque.
    public var alpha: UInt8

    /// A pixel of four premultiplied components.
    public init(blue: UInt8, green: UInt8, red: UInt8, alpha: UInt8) {
        self.blue = blue
        self.green = green
        self.red = red
        self.alpha = alpha
    }
}
