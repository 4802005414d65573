import Synchronization

/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.change` by its only owner. It is read-only from then on.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let block: PooledBlock
    /// Whether somebody may come back who does not hold it: from then on it is never written, however few do.
    let hasWayBack = Atomic(false)

    init(byteCount: Int) {
        block = PooledBlock(byteCount: byteCount)
        bytes = block.bytes
    }
}
