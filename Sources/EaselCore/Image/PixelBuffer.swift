import EaselFoundation
import Synchronization

/// The pixels of one image: 8-bit B, G, R, A in memory order, premultiplied by alpha, upright, top row first. The
/// colors are sRGB unless the request asks for others; see `ImageMetadata.colorSpace`.
///
/// Rows start at multiples of 64 bytes. The storage is immutable once built, so that threads, toolkits and caches share
/// it without a copy.
public struct PixelBuffer: Sendable {
    /// The size in pixels; both sides are at least 1.
    public let size: PixelSize
    /// Bytes from the start of one row to the start of the next: a multiple of 64.
    public let bytesPerRow: Int
    /// Whether every alpha is 255. `false` means that pixels may be transparent.
    public let isOpaque: Bool
    private var storage: PixelStorage

    /// The width in pixels.
    package var width: Int { size.width }
    /// The height in pixels.
    package var height: Int { size.height }
    /// The bytes that the pixels occupy, padding included.
    package var byteCount: Int { bytesPerRow * height }

    /// Allocates a buffer and lets `fill` write it before it is shared.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1; the caller has checked the limits.
    ///   - isOpaque: whether `fill` writes alpha 255 everywhere.
    ///   - fill: receives bytes of undefined content and the bytes per row.
    /// - Throws: `ImageError.tooLarge` if the size exceeds the machine's memory, and the errors of `fill`.
    public init(
        size: PixelSize, isOpaque: Bool,
        fill: (_ bytes: UnsafeMutableRawBufferPointer, _ bytesPerRow: Int) throws(ImageError) -> Void
    ) throws(ImageError) {
        let bytesPerRow = try Self.bytesPerRow(of: size)
        let storage = PixelStorage(byteCount: bytesPerRow * size.height)
        try fill(storage.bytes, bytesPerRow)
        self.init(storage, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque)
    }

    /// Creates a buffer of the same pixels with corrected opacity, without a copy.
    package init(_ other: PixelBuffer, isOpaque: Bool) {
        self.init(other.storage, size: other.size, bytesPerRow: other.bytesPerRow, isOpaque: isOpaque)
    }

    /// Creates a buffer from straight R, G, B, A of 8 bits each, as most libraries deliver it. It is opaque if every
    /// alpha is 255.
    ///
    /// - Parameters:
    ///   - bytes: the rows, from the top.
    ///   - bytesPerRow: from the start of one row to the start of the next.
    /// - Throws: `ImageError.badData` if there are fewer bytes, `.tooLarge` if the size exceeds the machine's memory.
    /// - Complexity: O(pixels), about the time of a copy.
    public init(straightRGBA bytes: UnsafeRawBufferPointer, bytesPerRow: Int, size: PixelSize) throws(ImageError) {
        let (rowByteCount, isWide) = size.width.multipliedReportingOverflow(by: 4)
        let (skipped, isLarge) = bytesPerRow.multipliedReportingOverflow(by: max(size.height, 1) - 1)
        guard !isWide, !isLarge, bytesPerRow >= rowByteCount, rowByteCount <= bytes.count,
            skipped <= bytes.count - rowByteCount
        else { throw .badData("There are not enough bytes for an image of \(size).") }
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

    /// Copies rows in the layout of a buffer. Returns `nil` if their length differs from the buffer's.
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

    /// Returns a weak reference to these pixels, or `nil` if this is their only reference.
    package mutating func weakReference() -> (@Sendable () -> PixelBuffer?)? {
        guard !isKnownUniquelyReferenced(&storage) else { return nil }
        storage.hasWeakReference.store(true, ordering: .relaxed)
        return { [weak storage, size, bytesPerRow, isOpaque] in
            storage.map { PixelBuffer($0, size: size, bytesPerRow: bytesPerRow, isOpaque: isOpaque) }
        }
    }

    /// Lets `change` write the bytes of all rows: in place if this is the only reference, else in a copy.
    ///
    /// - Parameter keepsContent: `false` if `change` writes every pixel, so that no content is copied.
    /// - Throws: the errors of `change`. Its changes until then are kept.
    package mutating func change(
        keepsContent: Bool, _ change: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        if !isOnlyReference() {
            let copy = PixelStorage(byteCount: byteCount)
            if keepsContent { copy.bytes.copyMemory(from: UnsafeRawBufferPointer(storage.bytes)) }
            storage = copy
        }
        try change(storage.bytes)
    }

    private mutating func isOnlyReference() -> Bool {
        guard isKnownUniquelyReferenced(&storage) else { return false }
        // Another thread may have read the pixels, or made a weak reference, just before it released them.
        atomicMemoryFence(ordering: .acquiring)
        return !storage.hasWeakReference.load(ordering: .relaxed)
    }

    /// Calls `body` with the bytes of all rows. The pointer must not escape. `color(x:y:)` reads one pixel.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(storage.bytes))
    }

    /// One pixel.
    ///
    /// - Precondition: the position is inside the image.
    package subscript(x: Int, y: Int) -> Pixel {
        precondition(x >= 0 && x < width && y >= 0 && y < height, "There is no pixel at \(x), \(y) of \(size)")
        return withUnsafeBytes { bytes in
            let start = y * bytesPerRow + x * 4
            return Pixel(
                blue: bytes[start], green: bytes[start + 1], red: bytes[start + 2], alpha: bytes[start + 3])
        }
    }

    /// Returns the bytes of a row. The size may come from a hostile header, and a failed allocation ends the process.
    package static func bytesPerRow(of size: PixelSize, bytesPerPixel: Int = 4) throws(ImageError) -> Int {
        let largest = largestByteCount
        let excess = ImageError.tooLarge(.pixels(size, limit: largest / bytesPerPixel))
        guard size.width > 0, size.height > 0, size.width <= largest / bytesPerPixel else { throw excess }
        let bytesPerRow = (size.width * bytesPerPixel + 63) & ~63
        guard size.height <= largest / bytesPerRow else { throw excess }
        return bytesPerRow
    }

    /// Cached, because it takes a system call.
    private static let largestByteCount = MemoryAllowance.ofProcess.byteCount
}

/// The memory of a pixel buffer: a block of the pool.
///
/// `@unchecked Sendable` is sound: `bytes` is written only before the only reference is shared, and inside
/// `PixelBuffer.change` by the only reference.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let block: PooledBlock
    /// Whether a weak reference may exist: the storage is never written from then on.
    let hasWeakReference = Atomic(false)

    init(byteCount: Int) {
        block = PooledBlock(byteCount: byteCount)
        bytes = block.bytes
    }
}

/// One premultiplied pixel in memory order.
package struct Pixel: Sendable, Hashable {
    /// Blue, premultiplied.
    package var blue: UInt8
    /// Green, premultiplied.
    package var green: UInt8
    /// Red, premultiplied.
    package var red: UInt8
    /// 255 is opaque.
    package var alpha: UInt8

    /// Creates a pixel of four premultiplied components.
    package init(blue: UInt8, green: UInt8, red: UInt8, alpha: UInt8) {
        self.blue = blue
        self.green = green
        self.red = red
        self.alpha = alpha
    }
}
