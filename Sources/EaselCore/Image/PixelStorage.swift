import Synchronization

/// The memory behind a `PixelBuffer`: a block of the pool, given back by its last owner, or a part of a mapped file.
///
/// `@unchecked Sendable` is sound: `bytes` is written only inside `PixelBuffer.init`, before the only reference is
/// shared, and inside `PixelBuffer.change` by its only owner. It is read-only from then on, and a mapping is never written
/// at all.
final class PixelStorage: @unchecked Sendable {
    /// Whose the memory is.
    private enum Owner {
        case pool
        case allocator
        case file(MappedBytes)
    }

    let bytes: UnsafeMutableRawBufferPointer
    private let owner: Owner
    /// Whether somebody may come back who does not hold it: from then on it is never written, however few do.
    let hasWayBack = Atomic(false)

    /// Whether the bytes are a file's.
    var isMapped: Bool { if case .file = owner { true } else { false } }

    init(byteCount: Int) {
        bytes = PixelPool.shared.take(byteCount)
        owner = .pool
    }

    /// Bytes that somebody needs for a frame or two: the allocator has those of an earlier frame at hand, while the pool would give
    /// them back to the system and ask for them again each time.
    init(briefly byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 64)
        owner = .allocator
    }

    /// The bytes of a mapping from `offset` to its end.
    init(_ mapping: MappedBytes, from offset: Int) {
        bytes = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[offset...])
        owner = .file(mapping)
    }

    deinit {
        switch owner {
        case .pool: PixelPool.shared.give(bytes)
        case .allocator: bytes.deallocate()
        case .file: break
        }
    }
}
