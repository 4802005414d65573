import CEaselSystem
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file as memory, which is given back with the last reference.
///
/// The file must never be cut short in place: reading what is gone ends the process. Files of ours are only ever replaced
/// or removed, which leaves a mapping whole.
///
/// `@unchecked Sendable` is sound: the memory is mapped for reading alone.
final class MappedBytes: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ bytes: UnsafeMutableRawBufferPointer) {
        self.bytes = bytes
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }

    /// Whether reading it waits for no disk.
    var isResident: Bool { easel_is_resident(bytes.baseAddress, bytes.count) != 0 }
}
