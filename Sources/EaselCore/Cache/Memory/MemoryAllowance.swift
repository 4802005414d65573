#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Int {
    /// As many bytes as decoded pictures may take by default: a quarter of the memory that the process may use, which is
    /// the machine's or that of its control group on Linux, whichever is less; at most 512 MB (P019).
    public static var automatic: Int { MemoryAllowance.ofProcess.bytesForPictures }
}

/// How much memory a process may use.
struct MemoryAllowance: Sendable {
    let byteCount: Int

    /// That of this process, read once.
    static let ofProcess = MemoryAllowance(physicalMemory: ProcessInfo.processInfo.physicalMemory) { path in
        (try? readFile(path, limit: 65_536)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameters:
    ///   - physicalMemory: the machine's, in bytes.
    ///   - read: gives the text of a file, or `nil`. Where there are no control groups, there are none of their files.
    init(physicalMemory: UInt64, read: (_ path: String) -> String?) {
        let limits = ControlGroups(read("/proc/self/cgroup") ?? "").memberships.flatMap(Self.limitFiles)
            .compactMap { path in read(path).flatMap(Self.limit) }
        byteCount = Int(clamping: limits.reduce(physicalMemory, min))
    }

    var bytesForPictures: Int { min(byteCount / 4, .megabytes(512)) }

    /// The files that may hold a limit, of a group and of those above it, which limit it too.
    private static func limitFiles(of membership: ControlGroups.Membership) -> [String] {
        if membership.controllers.isEmpty {
            membership.paths.map { "/sys/fs/cgroup" + $0 + "/memory.max" }
        } else if membership.controllers.contains("memory") {
            membership.paths.map { "/sys/fs/cgroup/memory" + $0 + "/memory.limit_in_bytes" }
        } else {
            []
        }
    }

    /// `max`, and what is no number, limits nothing.
    private static func limit(_ text: String) -> UInt64? {
        UInt64(text.prefix { !$0.isNewline })
    }
}
