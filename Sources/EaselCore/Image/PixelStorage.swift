/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner, or a part of a mapped file.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.changed` by its only owner. It is read-only from then on, and a mapping is never written
/// at all.
final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let mapping: MappedBytes?

    /// Whether the bytes are a file's.
    var isMapped: Bool { mapping != nil }

    init(byteCount: Int) {
        bytes = PixelPool.shared.take(byteCount)
        mapping = nil
    }

    /// The bytes of a mapping from `offset` to its end.
    init(_ mapping: MappedBytes, from offset: Int) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[offset...])
        self.mapping = mapping
    }

    deinit {
        if mapping == nil { PixelPool.shared.give(bytes) }
    }
}
