import Easel
import Foundation

/// Nuke's design: stores go into a dictionary at once and to separate files later, on a serial queue. Reads query the
/// dictionary, then the file. Names are MD5, which costs no more than its SHA-1.
final class StagedFolder: DiskPeer, @unchecked Sendable {
    static let name = "Nuke's design"

    private let folder: URL
    private let queue = DispatchQueue(label: "changes")
    /// Guards the dictionary; the system guards the files. This makes `@unchecked Sendable` sound.
    private let lock = NSLock()
    private var staged: [String: Data] = [:]
    private var isFlushDue = false

    init(folder: String) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    }

    private func file(_ key: String) -> URL {
        folder.appendingPathComponent(CacheKey(key).fileName, isDirectory: false)
    }

    func store(_ data: Data, for key: String) {
        let mustFlush = lock.withLock {
            staged[key] = data
            defer { isFlushDue = true }
            return !isFlushDue
        }
        if mustFlush { queue.async { self.writeStaged() } }
    }

    func data(for key: String) -> Data? {
        lock.withLock { staged[key] } ?? (try? Data(contentsOf: file(key)))
    }

    func contains(_ key: String) -> Bool {
        lock.withLock { staged[key] != nil } || FileManager.default.fileExists(atPath: file(key).path)
    }

    func flush() { queue.sync { writeStaged() } }

    private func writeStaged() {
        let changes = lock.withLock {
            isFlushDue = false
            return staged
        }
        for (key, data) in changes {
            try? data.write(to: file(key), options: .atomic)
        }
        lock.withLock {
            for (key, data) in changes where staged[key] == data { staged[key] = nil }
        }
    }

    func totalSize() throws -> Int {
        try files([.fileSizeKey]).reduce(0) { $0 + ($1.values.fileSize ?? 0) }
    }

    func trimToHalf() throws {
        try queue.sync {
            let files = try files([.contentAccessDateKey, .fileSizeKey])
            var size = files.reduce(0) { $0 + ($1.values.fileSize ?? 0) }
            let target = size / 2
            let sorted = files.sorted {
                ($0.values.contentAccessDate ?? .distantPast) < ($1.values.contentAccessDate ?? .distantPast)
            }
            for file in sorted {
                try FileManager.default.removeItem(at: file.url)
                size -= file.values.fileSize ?? 0
                if size <= target { break }
            }
        }
    }

    private func files(_ keys: Set<URLResourceKey>) throws -> [(url: URL, values: URLResourceValues)] {
        try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles
        ).map { ($0, try $0.resourceValues(forKeys: keys)) }
    }

    func fill(_ keys: [String], with data: Data) throws {
        for key in keys { try benchmark.fill(file(key), with: data) }
    }
}
