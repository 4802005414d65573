import Synchronization

/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner, or a part of a mapped file.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.change` by its only owner. It is read-only from then on, and a mapping is never written
/// at all.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    /// The file that the bytes are a part of; `nil` for a block of the pool.
    private let file: MappedBytes?
    /// Whether somebody may come back who does not hold it: from then on it is never written, however few do.
    let hasWayBack = Atomic(false)

    /// Whether the bytes are a file's.
    var isMapped: Bool { file != nil }

    init(byteCount: Int) {
        bytes = PixelPool.shared.take(byteCount)
        file = nil
    }

    /// The bytes of a mapping from `offset` to its end.
    init(_ mapping: MappedBytes, from offset: Int) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[offset...])
        file = mapping
    }

    deinit {
        if file == nil { PixelPool.shared.give(bytes) }
    }
}
