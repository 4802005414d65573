import Foundation

/// A folder for one measurement, on the disk that the package is on; it goes with the process.
enum ScratchFolder {
    /// Beside the build, not in the system's folder for temporary files, which may be memory.
    private static let root = FileManager.default.currentDirectoryPath + "/Benchmarks/.build/scratch"

    /// A new, empty folder.
    static func make(_ name: String) throws -> String {
        let path = root + "/\(ProcessInfo.processInfo.processIdentifier)/" + name + "-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    static func removeAll() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
