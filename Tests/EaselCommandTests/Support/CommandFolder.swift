import EaselCore
import EaselTesting
import Foundation

/// A temporary folder for one run of the command, with inputs, outputs and a cache.
struct CommandFolder {
    let path: String

    var output: String { path + "/out" }
    var cache: String { path + "/cache" }

    /// Calls `body` with a temporary folder.
    static func with(
        in parent: URL = FileManager.default.temporaryDirectory, _ body: (CommandFolder) async throws -> Void
    ) async throws {
        let folder = parent.appending(path: "easel-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(CommandFolder(path: folder.path))
    }

    /// Adds an image and returns its path.
    func add(_ name: String, _ image: TestImage = .gradient(40, 30), as format: ImageFormat = .png) throws -> String {
        try add(name, try image.encoded(as: format))
    }

    /// Adds a file and returns its path.
    func add(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }

    /// The names of the written files, including hidden ones.
    var outputs: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: output)) ?? []).sorted()
    }

    /// Returns the bytes of a written file.
    func outputData(_ name: String) -> Data? { FileManager.default.contents(atPath: output + "/" + name) }

    /// Runs the command with the cache in this folder, and through `starter` if one is given.
    func run(
        _ arguments: [String], input: Data = Data(), through starter: [String] = []
    ) async throws -> RunningCommand.Outcome {
        try await RunningCommand.run(
            arguments, input: input, environment: ["EASEL_CACHE_DIR": cache], through: starter)
    }
}
