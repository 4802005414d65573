import EaselCore
import EaselFoundation

/// Memory for one step of a codec, from the pool that pixels come from: it holds a whole image more often than not.
///
/// Its content is undefined, and a few bytes beyond `count` may be read and written, so that kernels can work in whole
/// words.
struct ScratchMemory: ~Copyable {
    /// Bytes behind the end that belong to the block too.
    static let slack = 64

    private let block: PooledBlock
    /// The bytes asked for.
    let count: Int

    /// - Throws: `ImageError.tooLarge` where `count` does not fit the machine.
    init(count: Int, for size: PixelSize) throws(ImageError) {
        let (padded, overflow) = count.addingReportingOverflow(Self.slack)
        guard !overflow, count >= 0 else { throw .tooLarge(.pixels(size, limit: Int.max)) }
        self.count = count
        block = PooledBlock(byteCount: padded)
    }

    /// The bytes asked for. The pointer must not outlive this value.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: block.bytes[..<count])
    }

    /// Those and the slack behind them. The pointer must not outlive this value.
    var paddedBytes: UnsafeMutableRawBufferPointer { block.bytes }
}

/// A copy of a file that stays where it is: C libraries keep a pointer to it from call to call, which `Data` allows only
/// within a closure.
final class OwnedBytes {
    /// The file. The pointer must not outlive this object.
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ data: Data) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: data.count)
        _ = copy.initialize(from: data)
        buffer = UnsafeBufferPointer(copy)
    }

    deinit {
        buffer.deallocate()
    }
}
