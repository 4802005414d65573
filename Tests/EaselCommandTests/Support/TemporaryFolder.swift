import Foundation

/// Calls `body` with a temporary folder.
func withTemporaryFolder<Result>(_ body: (_ path: String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "easel-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}
