import EaselFoundation

extension Int {
    /// As many bytes as decoded pictures may take by default: a quarter of the memory that the process may use, which is
    /// the machine's or that of its control group on Linux, whichever is less; at most 512 MB (P019).
    public static var automatic: Int { MemoryAllowance.ofProcess.bytesForPictures }
}

/// How much memory a process may use.
struct MemoryAllowance: Sendable {
    let byteCount: Int

    /// That of this process, read once.
    static let ofProcess = MemoryAllowance(physicalMemory: ProcessInfo.processInfo.physicalMemory) {
        ControlGroups.text(of: $0)
    }

    /// - Parameters:
    ///   - physicalMemory: the machine's, in bytes; 0 where the system does not tell.
    ///   - read: gives the text of a file, or `nil`. Where there are no control groups, there are none of their files.
    init(physicalMemory: UInt64, read: (_ path: String) -> String?) {
        let folders = ControlGroups(read("/proc/self/cgroup") ?? "").folders(of: "memory")
        let paths = folders.version2.map { $0 + "/memory.max" } + folders.version1.map { $0 + "/memory.limit_in_bytes" }
        let limits = paths.compactMap { path in read(path).flatMap(Self.limit) }
        byteCount = Int(clamping: limits.reduce(physicalMemory > 0 ? physicalMemory : Self.assumed, min))
    }

    /// What a machine has that does not tell.
    private static let assumed: UInt64 = 1 << 30

    var bytesForPictures: Int { min(byteCount / 4, .megabytes(512)) }

    /// `max`, and what is no number, limits nothing.
    private static func limit(_ text: String) -> UInt64? {
        UInt64(text.prefix { !$0.isNewline })
    }
}
