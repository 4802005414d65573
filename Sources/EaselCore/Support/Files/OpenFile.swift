import CEaselSystem
import EaselFoundation

/// An open file, closed at the end of this value's lifetime. All calls except `readCached` block.
struct OpenFile: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes ownership of the descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file for reading. Without `blocks`, neither opening nor reading waits for the writer of a pipe.
    init(path: String, blocks: Bool = true) throws(SystemError) {
        descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | (blocks ? 0 : O_NONBLOCK | O_NOCTTY))
        guard descriptor >= 0 else { throw .last }
    }

    deinit { close(descriptor) }

    func facts() throws(SystemError) -> FileFacts {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last }
        return FileFacts(status)
    }

    /// Returns an extended attribute, or `nil` if there is none.
    ///
    /// - Throws: An error that `isUnsupported` if the file system has no attributes, or `isTooLarge` for over 2 MiB.
    func attribute(_ name: String) throws(SystemError) -> [UInt8]? {
        for capacity in [512, 65_536, 2 << 20] {
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
        throw SystemError(number: E2BIG)
    }

    func setAttribute(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        let result = bytes.withUnsafeBytes { easel_attribute_set(descriptor, name, $0.baseAddress, $0.count) }
        guard result == 0 else { throw .last }
    }

    /// Reads to the end, or one byte more than `limit`.
    ///
    /// - Parameter expected: The likely length.
    func read(expected: Int, limit: Int = .max) throws(SystemError) -> Data {
        var data = Data()
        guard try readAvailable(into: &data, expected: expected, limit: limit) else {
            throw SystemError(number: EAGAIN)
        }
        return data
    }

    /// Adds the available bytes to `data`, up to one byte more than `limit`. Returns whether this is the end: a pipe
    /// can have more bytes later.
    func readAvailable(into data: inout Data, expected: Int, limit: Int) throws(SystemError) -> Bool {
        let (limit, expected) = (max(0, limit), min(expected, 1 << 40))
        while data.count <= limit {
            let missing = data.count < expected ? expected - data.count : max(64 << 10, min(data.count, 1 << 20))
            // One byte more finds the end in the same call.
            let room = min(missing, limit - data.count) + 1
            let (more, isPaused) = try read(room) { start, room, _ in systemRead(descriptor, start, room) }
            if data.isEmpty { data = more } else { data += more }
            if more.count < room { return !isPaused }
        }
        return true
    }

    /// Reads the last `count` bytes of a file of `length` bytes, or all of a shorter one.
    func readEnd(_ count: Int, of length: Int) throws(SystemError) -> Data {
        let start = max(0, length - count)
        return try read(length - start) { pread(descriptor, $0, $1, off_t(start + $2)) }.data
    }

    /// Reads the first `count` bytes if the system has all of them in memory. Does not wait for a disk.
    func readCached(count: Int) -> Data? {
        let bytes = try? read(count) { easel_read_cached(descriptor, $0, $1, off_t($2)) }.data
        return bytes?.count == count ? bytes : nil
    }

    /// Reads `count` bytes, or fewer at the end of the file or before a pause of a pipe, by calls of `next` with a
    /// pointer, the room there, and the number of bytes read before.
    private func read(
        _ count: Int, by next: (UnsafeMutableRawPointer?, Int, Int) -> Int
    ) throws(SystemError) -> (data: Data, isPaused: Bool) {
        var data = Data(count: count)
        var done = 0
        while done < count {
            let more = data.withUnsafeMutableBytes { next($0.baseAddress.map { $0 + done }, count - done, done) }
            let error = SystemError.last
            if more == 0 { break }
            if more > 0 {
                done += more
            } else if error.number == EAGAIN {
                return (data.prefix(done), true)
            } else if !error.isInterrupted {
                throw error
            }
        }
        return (data.prefix(done), false)
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

    /// Waits until the bytes are on the disk and survive a loss of power.
    func synchronise() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Takes an advisory lock until the end of this value's lifetime, or of the process. Returns `false` if another
    /// descriptor, also of this process, has a lock that conflicts, and `nil` if the file system has no locks.
    func lock(exclusively: Bool) -> Bool? {
        if flock(descriptor, (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 { return true }
        return errno == EWOULDBLOCK ? false : nil
    }

    /// Sets the time of modification to now, and leaves the time of access.
    func setModifiedNow() { easel_set_modified_now(descriptor) }
}

/// Facts about a file. Times are seconds since 1970.
struct FileFacts: Sendable {
    var byteCount: Int
    /// The last access; the later one of access and modification if the file system keeps only the day of an access.
    var accessed: Double
    /// The last change of the content.
    var modified: Double
    /// The last change of the content, name or attributes.
    var changed: Double
    /// Distinguishes the file from a later one with the same name.
    var number: UInt64
    /// Whether it is a regular file.
    var isFile: Bool
    let isBlockDevice: Bool
    /// Whether the file system keeps only the day of an access, as FAT does.
    let hasDayOfAccess: Bool

    init(_ status: stat) {
        byteCount = Int(status.st_size)
        let accessed = status.accessTime
        modified = Self.seconds(status.modificationTime)
        // Midnight in some time zone: they differ by multiples of 15 minutes.
        hasDayOfAccess = accessed.tv_nsec == 0 && accessed.tv_sec % 900 == 0
        self.accessed = hasDayOfAccess ? max(Self.seconds(accessed), modified) : Self.seconds(accessed)
        changed = Self.seconds(status.changeTime)
        number = UInt64(status.st_ino)
        isFile = status.st_mode & S_IFMT == S_IFREG
        isBlockDevice = status.st_mode & S_IFMT == S_IFBLK
    }

    /// Returns whether these and earlier facts are those of one file, which was not written in between.
    func isUnchanged(since earlier: FileFacts) -> Bool { number == earlier.number && modified == earlier.modified }

    /// Creates the facts about the file at a path, with links followed; `nil` if there is none.
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
