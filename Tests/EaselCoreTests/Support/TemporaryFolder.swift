import EaselFoundation

@testable import EaselCore

/// A new, empty folder for one test.
struct TemporaryFolder {
    let path: String

    /// Runs `body` with a new folder, which is removed afterwards.
    static func with<Result>(_ body: (TemporaryFolder) async throws -> Result) async throws -> Result {
        let folder = TemporaryFolder(
            path: FileManager.default.temporaryDirectory.appendingPathComponent("easel-\(UUID().uuidString)").path)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        return try await body(folder)
    }

    /// The names in the folder, without the files that a cache adds for itself.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: path)).subtracting([CacheTag.name, ".cleaned"])
    }

    /// The path of a file in the folder.
    subscript(name: String) -> String { path + "/" + name }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: self[name]))
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: self[name])))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name], withIntermediateDirectories: false)
    }

    func makeLink(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self[name], withDestinationPath: destination)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: self[name])
    }

    func move(_ name: String, to new: String) throws {
        try FileManager.default.moveItem(atPath: self[name], toPath: self[new])
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: self[name])
    }
}

extension TemporaryFolder {
    func makePipe(_ name: String) throws {
        guard mkfifo(self[name], 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

extension TemporaryFolder {
    /// Writes a file until the file system is full.
    func fillDisk(_ name: String) throws {
        let file = try Folder(path: path, creating: false).create(name)
        for length in [65_536, 4_096, 1] {
            while (try? file.append(Data(count: length))) != nil {}
        }
    }
}
