import EaselCore
import EaselFoundation

/// Temporary memory of a codec, often for a whole image, from the pixel pool.
///
/// The content is undefined. A few bytes past `count` can be read and written, so that kernels can process whole words.
struct ScratchMemory: ~Copyable {
    /// The extra bytes after the end.
    static let slack = 64

    private let block: PooledBlock
    let count: Int

    /// - Throws: `ImageError.tooLarge` if `count` exceeds the machine's memory.
    init(count: Int, for size: PixelSize) throws(ImageError) {
        let largest = MemoryAllowance.ofProcess.byteCount
        // A failed allocation ends the process.
        guard count >= 0, count <= largest - Self.slack else { throw .tooLarge(.pixels(size, limit: largest / 4)) }
        self.count = count
        block = PooledBlock(byteCount: count + Self.slack)
    }

    /// The requested bytes. The pointer must not outlive this value.
    var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(rebasing: block.bytes[..<count]) }

    /// The requested bytes and the slack. The pointer must not outlive this value.
    var paddedBytes: UnsafeMutableRawBufferPointer { block.bytes }
}

/// A copy of a file at a stable address, for C libraries that keep a pointer between calls.
final class OwnedBytes {
    /// The file. The pointer must not outlive this object.
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ data: Data) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        buffer = UnsafeBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}
