#if OriginServer
import EaselCore
import EaselTesting
import Foundation
import TestSupport
import Testing

@Suite("Origin server: files", .timeLimit(.minutes(1)))
struct OriginFolderTests {
    /// Runs `body` with a temporary folder that has `a.png` and `deep/b.txt`.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "origin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appending(path: "deep"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("image".utf8).write(to: folder.appending(path: "a.png"))
        try Data("text".utf8).write(to: folder.appending(path: "deep/b.txt"))
        try await body(folder)
    }

    private func get(_ path: String, from origin: OriginServer) async throws -> String {
        let client = try await WireClient(port: origin.port)
        try await client.get(path, "Connection: close")
        return try await client.readToEnd().text
    }

    @Test("The files of a folder are served with their types and the configured fields")
    func folder() async throws {
        try await withFolder { folder in
            let origin = try await OriginServer.start {
                $0.serve(folder: folder.path, headers: ["Cache-Control": "max-age=60"])
            }
            let image = try await get("/a.png", from: origin)
            #expect(image.contains("\r\nContent-Type: image/png\r\n"))
            #expect(image.contains("\r\nCache-Control: max-age=60\r\n"))
            #expect(image.hasSuffix("\r\n\r\nimage"))
            #expect(try await get("/deep/b.txt?query", from: origin).hasSuffix("\r\n\r\ntext"))
        }
    }

    @Test("A folder, a missing file and a path outside are 404s", arguments: ["/deep", "/", "/c.png", "/../a.png"])
    func missing(path: String) async throws {
        try await withFolder { folder in
            let origin = try await OriginServer.start { $0.serve(folder: folder.path) }
            #expect(try await get(path, from: origin).hasPrefix("HTTP/1.1 404 "))
        }
    }

    @Test("A file is read when it is requested")
    func file() async throws {
        try await withFolder { folder in
            let path = folder.appending(path: "a.png")
            let origin = try await OriginServer.start { $0.respond("/x", with: .file(path.path)) }
            try Data("changed".utf8).write(to: path)
            #expect(try await get("/x", from: origin).hasSuffix("\r\n\r\nchanged"))
        }
    }
}
#endif
