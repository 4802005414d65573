#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the system tells of a file. Times are seconds since 1970.
struct FileFacts: Sendable {
    var byteCount: Int
    /// When it was last read, or touched; or modified, where the file system keeps only the day of an access.
    var accessed: Double
    /// When its bytes were last written.
    var modified: Double
    /// When anything of it was last changed, its name included.
    var changed: Double
    /// Tells it from another file that has its name later.
    var number: UInt64
    /// Whether it is a regular file: no folder, link or device.
    var isFile: Bool
    /// Whether the file system keeps only the day of an access, as FAT does.
    let hasDayOfAccess: Bool

    init(_ status: stat) {
        byteCount = Int(status.st_size)
        let accessed = status.accessTime
        modified = Self.seconds(status.modificationTime)
        // Midnight in some time zone; all are whole quarters of an hour from each other.
        hasDayOfAccess = accessed.tv_nsec == 0 && accessed.tv_sec % 900 == 0
        self.accessed = hasDayOfAccess ? max(Self.seconds(accessed), modified) : Self.seconds(accessed)
        changed = Self.seconds(status.changeTime)
        number = UInt64(status.st_ino)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    /// Those of the file at a path, links followed; `nil` where there is none.
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
