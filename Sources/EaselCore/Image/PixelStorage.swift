import Synchronization

/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner, or a part of a mapped file.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.change` by its only owner. It is read-only from then on, and a mapping is never written
/// at all.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    /// Where the bytes lie, which is kept as long as this.
    private let place: Place
    /// Whether somebody may come back who does not hold it: from then on it is never written, however few do.
    let hasWayBack = Atomic(false)

    private enum Place: ~Copyable {
        case block(PooledBlock)
        case file(MappedBytes)
    }

    /// Whether the bytes are a file's.
    var isMapped: Bool {
        switch place {
        case .block: false
        case .file: true
        }
    }

    init(byteCount: Int) {
        let block = PooledBlock(byteCount: byteCount)
        bytes = block.bytes
        place = .block(block)
    }

    /// The bytes of a mapping from `offset` to its end.
    init(_ mapping: MappedBytes, from offset: Int) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[offset...])
        place = .file(mapping)
    }
}
