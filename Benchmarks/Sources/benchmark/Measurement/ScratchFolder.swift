import Foundation

/// A folder for one measurement, on the package's disk. Removed at exit.
enum ScratchFolder {
    /// Next to the build, since the system's temporary folder may be in memory. `EASEL_BENCH_FOLDER` names another, to
    /// separate the cost of code from that of a disk.
    private static let root =
        ProcessInfo.processInfo.environment["EASEL_BENCH_FOLDER"]
        ?? FileManager.default.currentDirectoryPath + "/Benchmarks/.build/scratch"
    private static let process = String(ProcessInfo.processInfo.processIdentifier)

    /// Creates an empty folder.
    static func make(_ name: String) throws -> String {
        let path = "\(root)/\(process)/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Removes the folders of this process and of killed processes, after all measurements: for minutes after many
    /// files are removed, ext4 checks each of their inodes before reuse.
    static func removeAll() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            let isAlive = Int32(name).map { kill($0, 0) == 0 } ?? false
            if name == process || !isAlive { try? FileManager.default.removeItem(atPath: root + "/" + name) }
        }
    }
}
