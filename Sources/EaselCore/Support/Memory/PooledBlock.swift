/// A block of the pool in the hands of one owner, who gives it back by letting go of it.
package struct PooledBlock: ~Copyable {
    /// All of it: aligned to 64, content undefined at first. The pointer must not outlive this value.
    package let bytes: UnsafeMutableRawBufferPointer
    private let pool: BlockPool

    /// A block of exactly `byteCount` bytes.
    package init(byteCount: Int, of pool: BlockPool = .shared) {
        bytes = pool.take(byteCount)
        self.pool = pool
    }

    deinit { pool.give(bytes) }
}
