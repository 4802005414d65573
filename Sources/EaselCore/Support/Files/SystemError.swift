#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The reason why a system call failed, with its words.
package struct SystemError: Error {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The reason of the call that failed just now on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// There is no such file.
    static let missing = SystemError(number: ENOENT)
    /// The file system is full.
    static let noSpace = SystemError(number: ENOSPC)

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isInterrupted: Bool { number == EINTR }
    var isUnsupported: Bool { number == ENOTSUP || number == EOPNOTSUPP || number == EPERM || number == ENOSYS }
    var isLink: Bool { number == ELOOP }
    var isTaken: Bool { number == EEXIST }
    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// An extended attribute is more than the file system takes; ext4 calls that a lack of space.
    var isTooLarge: Bool { number == E2BIG || number == ERANGE || number == ENOSPC || number == EDQUOT }
    /// A buffer has no room for an extended attribute.
    var isTooSmall: Bool { number == ERANGE }
    var isNoAttribute: Bool { number == Self.noAttribute }

    #if canImport(Darwin)
    private static let noAttribute = ENOATTR
    #else
    private static let noAttribute = ENODATA
    #endif

    /// As the C library puts it, without its capital: `no space left on device`.
    package var reason: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// Whether a process with this number is alive, as far as we may know.
func isProcessAlive(_ number: Int32) -> Bool {
    kill(number, 0) == 0 || errno == EPERM
}

/// The number of this process.
let processNumber = getpid()

/// `open`, `rename`, `read` and `write` under names that a type's own methods do not hide.
let systemOpen: @Sendable (String, Int32) -> Int32 = { open($0, $1) }
let systemRename: @Sendable (String, String) -> Int32 = { rename($0, $1) }
let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write
