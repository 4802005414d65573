import EaselCore

/// Memory for one step of a codec, from the pool that pixels come from: it holds a whole picture more often than not.
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
