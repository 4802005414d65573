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
        let limits = (read("/proc/self/cgroup") ?? "").split(separator: "\n").flatMap(Self.limitFiles)
            .compactMap { path in read(path).flatMap(Self.limit) }
        byteCount = Int(clamping: limits.reduce(physicalMemory, min))
    }

    var bytesForPictures: Int { min(byteCount / 4, .megabytes(512)) }

    /// The files that may hold a limit, of the group that a line `number:controllers:path` names and of those above it,
    /// which limit it too. In a container the path may be the one outside, of which only the root is to be seen.
    private static func limitFiles(of line: Substring) -> [String] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let root: String
        let file: String
        if fields[0] == "0", fields[1].isEmpty {
            (root, file) = ("/sys/fs/cgroup", "/memory.max")
        } else if fields[1].split(separator: ",").contains("memory") {
            (root, file) = ("/sys/fs/cgroup/memory", "/memory.limit_in_bytes")
        } else {
            return []
        }
        // A path that leads out of the namespace of this process cannot be followed.
        let names = fields[2].split(separator: "/").filter { $0 != ".." }
        return (0...names.count).map { count in
            root + names.prefix(count).map { "/" + $0 }.joined() + file
        }
    }

    /// `max`, and what is no number, limits nothing.
    private static func limit(_ text: String) -> UInt64? {
        UInt64(text.prefix { !$0.isNewline })
    }
}
