import EaselFoundation
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that a piece of code runs on.
struct CurrentThread: Hashable, Sendable {
    let identity: UInt
    /// Empty where the system does not tell.
    let name: String
    private static let nameFile = "/proc/thread-self/comm"
    static let hasName = FileManager.default.fileExists(atPath: nameFile)

    init() {
        identity = UInt(bitPattern: pthread_self().hashValue)
        let name = try? String(contentsOfFile: Self.nameFile, encoding: .utf8)
        self.name = name.map { String($0.prefix { $0 != "\n" }) } ?? ""
    }
}

/// Whether files that forbid reading or writing do so here: not for the superuser.
let permissionsApply = geteuid() != 0
