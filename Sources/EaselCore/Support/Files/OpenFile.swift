import CEaselSystem
import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is open, and closed when this value goes. Calls block, but for those that say otherwise.
struct OpenFile: ~Copyable {
    private let descriptor: Int32

    /// Takes the descriptor over.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What the system tells of it.
    func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return FileFacts(status)
    }

    /// An extended attribute.
    ///
    /// - Throws: an error that `isUnsupported` where the file system has none; one that `isTooLarge` for more than 64 KiB.
    func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
        for capacity in [512, 65_536] {
            var failure: SystemError?
            let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = easel_attribute_get(descriptor, name, buffer.baseAddress, capacity)
                if count < 0 {
                    failure = .last
                    count = 0
                }
            }
            guard let failure else { return bytes }
            if failure.isNoAttribute { return nil }
            if !failure.isTooSmall { throw failure }
        }
        return nil
    }

    func setAttribute(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        let result = bytes.withUnsafeBytes { easel_attribute_set(descriptor, name, $0.baseAddress, $0.count) }
        guard result == 0 else { throw .last }
    }

    /// Reads to the end. A file may grow or shrink meanwhile, and a pipe has no size: `expected` is only a guess.
    func read(expected: Int, limit: Int = .max) throws(SystemError) -> Data {
        let limit = max(0, limit)
        var bytes = FileBytes(capacity: max(0, min(expected, limit, 1 << 40)) + 1)
        while true {
            let count = systemRead(descriptor, bytes.end, bytes.room)
            if count > 0 {
                bytes.count += count
                if bytes.count > limit { break }
                if bytes.room == 0 { bytes.grow() }
            } else if count == 0 {
                break
            } else if !SystemError.last.isInterrupted {
                throw .last
            }
        }
        return bytes.take()
    }

    /// Reads the last `count` bytes of a file of `length` bytes: all of it where it has fewer.
    func readEnd(_ count: Int, of length: Int) throws(SystemError) -> Data {
        let start = max(0, length - count)
        var bytes = FileBytes(capacity: max(1, length - start))
        while bytes.count < length - start {
            let more = pread(descriptor, bytes.end, length - start - bytes.count, off_t(start + bytes.count))
            if more == 0 { break }
            if more > 0 { bytes.count += more } else if !SystemError.last.isInterrupted { throw .last }
        }
        return bytes.take()
    }

    /// Reads the first `count` bytes if all of them are in memory already: never waits for a disk.
    func readCached(count: Int) -> Data? {
        var bytes = FileBytes(capacity: max(1, count))
        while bytes.count < count {
            let more = easel_read_cached(descriptor, bytes.end, count - bytes.count, off_t(bytes.count))
            guard more > 0 else { return nil }
            bytes.count += more
        }
        return bytes.take()
    }

    /// Gives it its first name, in an open folder.
    ///
    /// - Throws: an error that `isTaken` where another has it.
    func take(_ name: String, in folder: Int32) throws(SystemError) {
        guard easel_name_unnamed(descriptor, folder, name) == 0 else { throw .last }
    }

    func append(_ data: Data) throws(SystemError) {
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { systemWrite(descriptor, $0 + written, bytes.count - written) } ?? 0
            }
            if count >= 0 {
                written += count
            } else if !SystemError.last.isInterrupted {
                throw .last
            }
        }
    }

    /// Waits until the bytes are on the disk, so that they survive a loss of power.
    func synchronise() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Sets the time of modification to now, and leaves that of access.
    func setModifiedNow() {
        easel_modified_now(descriptor)
    }
}

/// Memory for bytes that are read: not cleared first, and handed over without a copy.
private struct FileBytes: ~Copyable {
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    var count = 0

    init(capacity: Int) {
        start = .allocate(byteCount: capacity, alignment: 16)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    var end: UnsafeMutableRawPointer { start + count }
    var room: Int { capacity - count }

    mutating func grow() {
        let larger = capacity + min(capacity, 1 << 20)
        let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        moved.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = moved
        capacity = larger
    }

    consuming func take() -> Data {
        let data = Data(
            bytesNoCopy: start, count: count, deallocator: .custom { bytes, _ in bytes.deallocate() })
        discard self
        return data
    }
}
