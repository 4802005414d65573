package import EaselFoundation

/// The error of a system call.
package struct SystemError: Error {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// The error of the last failed call on this thread.
    package static var last: SystemError { SystemError(number: errno) }

    static let missing = SystemError(number: ENOENT)
    static let noSpace = SystemError(number: ENOSPC)
    static let unsupported = SystemError(number: ENOTSUP)

    var isMissing: Bool { number == ENOENT || number == ENOTDIR }
    var isInterrupted: Bool { number == EINTR }
    var isUnsupported: Bool { number == ENOTSUP || number == EOPNOTSUPP || number == EPERM || number == ENOSYS }
    var isLink: Bool { number == ELOOP }
    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// An extended attribute is larger than the file system allows; ext4 reports that as a lack of space.
    var isTooLarge: Bool { number == E2BIG || number == ERANGE || isFull }
    /// A buffer is too small for an extended attribute.
    var isTooSmall: Bool { number == ERANGE }
    var isNoAttribute: Bool { number == Self.noAttribute }

    #if canImport(Darwin)
    private static let noAttribute = ENOATTR
    #else
    private static let noAttribute = ENODATA
    #endif

    /// The error for users.
    package var posix: POSIXError? { POSIXErrorCode(rawValue: number).map { POSIXError($0) } }

    /// The text of the C library in lower case: `no space left on device`.
    package var reason: String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

// `open`, `read` and `write` under names that methods do not hide.
let systemOpen: @Sendable (String, Int32) -> Int32 = { open($0, $1) }
let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write
