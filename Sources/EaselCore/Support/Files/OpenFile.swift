import CEaselSystem
import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An open file, which is closed with this value. All calls block, except `readCached`.
struct OpenFile: ~Copyable {
    private let descriptor: Int32

    /// Takes ownership of the descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return FileFacts(status)
    }

    /// An extended attribute, or `nil` if there is none.
    ///
    /// - Throws: an error that `isUnsupported` if the file system has no attributes; one that `isTooSmall` for more than 64 KiB.
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

    /// Reads to the end, or one byte more than `limit`.
    ///
    /// - Parameter expected: a guess of the length: a file may change meanwhile, and a pipe has none.
    func read(expected: Int, limit: Int = .max) throws(SystemError) -> Data {
        let limit = max(0, limit)
        var bytes = Data()
        var room = max(0, min(expected, limit, 1 << 40)) + 1
        while bytes.count <= limit {
            let more = try read(room) { start, room, _ in systemRead(descriptor, start, room) }
            if bytes.isEmpty { bytes = more } else { bytes += more }
            if more.count < room { break }
            room = min(bytes.count, 1 << 20, limit - bytes.count + 1)
        }
        return bytes
    }

    /// Reads the last `count` bytes of a file of `length` bytes, or all of a shorter one.
    func readEnd(_ count: Int, of length: Int) throws(SystemError) -> Data {
        let start = max(0, length - count)
        return try read(length - start) { pread(descriptor, $0, $1, off_t(start + $2)) }
    }

    /// Reads the first `count` bytes if the system has all of them in memory. Never waits for a disk.
    func readCached(count: Int) -> Data? {
        let bytes = try? read(count) { easel_read_cached(descriptor, $0, $1, off_t($2)) }
        return bytes?.count == count ? bytes : nil
    }

    /// Reads `count` bytes, or fewer at the end of the file, by calls of `next` with a pointer, the room there, and the bytes read before.
    private func read(
        _ count: Int, by next: (UnsafeMutableRawPointer?, Int, Int) -> Int
    ) throws(SystemError) -> Data {
        var data = Data(count: count)
        var done = 0
        while done < count {
            let more = data.withUnsafeMutableBytes { next($0.baseAddress.map { $0 + done }, count - done, done) }
            if more == 0 { break }
            if more > 0 { done += more } else if !SystemError.last.isInterrupted { throw .last }
        }
        return data.prefix(done)
    }

    func append(_ data: Data) throws(SystemError) {
        var written = 0
        while written < data.count {
            let count = data.withUnsafeBytes { bytes in
                bytes.baseAddress.map { systemWrite(descriptor, $0 + written, bytes.count - written) } ?? 0
            }
            if count >= 0 { written += count } else if !SystemError.last.isInterrupted { throw .last }
        }
    }

    /// Waits until the bytes are on the disk, so that they survive a loss of power.
    func synchronise() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Sets the time of modification to now, and leaves the time of access.
    func setModifiedNow() {
        easel_set_modified_now(descriptor)
    }
}

/// Facts about a file. Times are seconds since 1970.
struct FileFacts: Sendable {
    var byteCount: Int
    /// The last access; the later one of access and modification if the file system keeps only the day of an access.
    var accessed: Double
    /// The last change of its bytes.
    var modified: Double
    /// The last change of anything, the name included.
    var changed: Double
    /// Distinguishes it from another file that has its name later.
    var number: UInt64
    /// Whether it is a regular file: not a folder, link or device.
    var isFile: Bool
    /// Whether the file system keeps only the day of an access, as FAT does.
    let hasDayOfAccess: Bool

    init(_ status: stat) {
        byteCount = Int(status.st_size)
        let accessed = status.accessTime
        modified = Self.seconds(status.modificationTime)
        // Midnight in some time zone: all are a multiple of 15 minutes from each other.
        hasDayOfAccess = accessed.tv_nsec == 0 && accessed.tv_sec % 900 == 0
        self.accessed = hasDayOfAccess ? max(Self.seconds(accessed), modified) : Self.seconds(accessed)
        changed = Self.seconds(status.changeTime)
        number = UInt64(status.st_ino)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    /// The facts about the file at a path, with links followed; `nil` if there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    private static func seconds(_ time: timespec) -> Double {
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension stat {
    #if canImport(Darwin)
    fileprivate var accessTime: timespec { st_atimespec }
    fileprivate var modificationTime: timespec { st_mtimespec }
    fileprivate var changeTime: timespec { st_ctimespec }
    #else
    fileprivate var accessTime: timespec { st_atim }
    fileprivate var modificationTime: timespec { st_mtim }
    fileprivate var changeTime: timespec { st_ctim }
    #endif
}
