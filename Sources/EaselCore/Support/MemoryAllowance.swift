import CEaselSystem

/// The memory that a process may use.
package struct MemoryAllowance: Sendable {
    package let byteCount: Int

    package static let ofProcess = MemoryAllowance(physicalMemory: easel_physical_memory()) {
        ControlGroups.text(of: $0)
    }

    /// - Parameters:
    ///   - physicalMemory: The bytes of the machine, or 0 if unknown.
    ///   - read: Returns the text of a file of the control groups.
    init(physicalMemory: UInt64, read: (_ path: String) -> String?) {
        let folders = ControlGroups(read("/proc/self/cgroup") ?? "").folders(of: "memory")
        let paths = folders.version2.map { $0 + "/memory.max" } + folders.version1.map { $0 + "/memory.limit_in_bytes" }
        let limits = paths.compactMap { path in read(path).flatMap(Self.limit) }
        byteCount = Int(clamping: limits.reduce(physicalMemory > 0 ? physicalMemory : Self.assumed, min))
    }

    /// The memory of a machine that does not report it.
    private static let assumed: UInt64 = 1 << 30

    var bytesForImages: Int { min(byteCount / 4, 512_000_000) }

    /// Returns `nil` for `max`.
    private static func limit(_ text: String) -> UInt64? { UInt64(text.prefix { !$0.isNewline }) }
}
