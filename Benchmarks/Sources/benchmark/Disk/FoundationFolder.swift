import Easel
import Foundation

/// SDWebImage's algorithm: a folder of files named by MD5, with `FileManager` and URLs, one call at a time on a serial
/// queue. Each read writes the date of the last use, and attributes are read file by file.
final class FoundationFolder: DiskPeer, @unchecked Sendable {
    static let name = "SDWebImage's algorithm"

    /// All calls run here in sequence, which makes `@unchecked Sendable` sound.
    private let queue = DispatchQueue(label: "files")
    private let manager = FileManager()
    private let folder: URL

    init(folder: String) {
        self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    }

    private func file(_ key: String) -> URL { folder.appendingPathComponent(CacheKey(key).fileName) }

    func store(_ data: Data, for key: String) throws {
        try queue.sync {
            if !manager.fileExists(atPath: folder.path) {
                try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            try data.write(to: file(key), options: .atomic)
        }
    }

    func data(for key: String) throws -> Data? {
        try queue.sync {
            var file = file(key)
            guard let data = (try? Data(contentsOf: file)) ?? (try? Data(contentsOf: file.deletingPathExtension()))
            else {
                return nil
            }
            var values = URLResourceValues()
            values.contentAccessDate = Date()
            try file.setResourceValues(values)
            return data
        }
    }

    func contains(_ key: String) -> Bool {
        queue.sync {
            let file = file(key)
            return manager.fileExists(atPath: file.path)
                || manager.fileExists(atPath: file.deletingPathExtension().path)
        }
    }

    func flush() {}

    func totalSize() throws -> Int {
        try queue.sync {
            var size = 0
            guard let names = manager.enumerator(atPath: folder.path) else { return 0 }
            for case let name as String in names {
                let attributes = try manager.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
                size += attributes[.size] as? Int ?? 0
            }
            return size
        }
    }

    func trimToHalf() throws {
        try queue.sync {
            let keys: Set<URLResourceKey> = [.isDirectoryKey, .contentAccessDateKey, .fileSizeKey]
            guard
                let urls = manager.enumerator(
                    at: folder, includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles)
            else { return }
            var files: [(url: URL, size: Int, used: Date)] = []
            for case let url as URL in urls {
                let values = try url.resourceValues(forKeys: keys)
                guard values.isDirectory == false else { continue }
                files.append((url, values.fileSize ?? 0, values.contentAccessDate ?? .distantPast))
            }
            var size = files.reduce(0) { $0 + $1.size }
            let target = size / 2
            for file in files.sorted(by: { $0.used < $1.used }) {
                try manager.removeItem(at: file.url)
                size -= file.size
                if size <= target { break }
            }
        }
    }

    func fill(_ keys: [String], with data: Data) throws {
        for key in keys { try benchmark.fill(file(key), with: data) }
    }
}
