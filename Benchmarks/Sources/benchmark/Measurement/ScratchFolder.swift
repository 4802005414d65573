import Foundation

/// A folder for one measurement, on the disk that the package is on; it goes with the process.
enum ScratchFolder {
    /// Beside the build, not in the system's folder for temporary files, which may be memory; `EASEL_BENCH_FOLDER` names
    /// another, to tell what our code costs from what a disk does.
    private static let root =
        ProcessInfo.processInfo.environment["EASEL_BENCH_FOLDER"]
        ?? FileManager.default.currentDirectoryPath + "/Benchmarks/.build/scratch"
    private static let process = String(ProcessInfo.processInfo.processIdentifier)

    /// A new, empty folder.
    static func make(_ name: String) throws -> String {
        let path = "\(root)/\(process)/\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// Removes this process's folders, and those of processes that were killed: behind all measurements. For minutes after many
    /// files were removed, ext4 looks at each of their inodes before it gives one to a new file.
    static func removeAll() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? [] {
            let isAlive = Int32(name).map { kill($0, 0) == 0 } ?? false
            if name == process || !isAlive { try? FileManager.default.removeItem(atPath: root + "/" + name) }
        }
    }
}
