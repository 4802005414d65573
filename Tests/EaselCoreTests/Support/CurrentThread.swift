import EaselFoundation

/// The current thread.
struct CurrentThread: Hashable, Sendable {
    let identity: UInt
    /// Empty if the system does not report it.
    let name: String
    private static let nameFile = "/proc/thread-self/comm"
    static let hasName = FileManager.default.fileExists(atPath: nameFile)

    init() {
        identity = UInt(bitPattern: pthread_self().hashValue)
        let name = try? String(contentsOfFile: Self.nameFile, encoding: .utf8)
        self.name = name.map { String($0.prefix { $0 != "\n" }) } ?? ""
    }
}

/// Whether file permissions apply. They do not for the superuser.
let permissionsApply = geteuid() != 0
