import Testing

@testable import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("file: URLs")
struct FileLoaderTests {
    @Test("give the file whole, with one report", arguments: ["a.png", "with space.png", "ä%20 名前.png", "a?b#c.png"])
    func load(name: String) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<200, to: name)
            let request = ImageRequest(URL(fileURLWithPath: folder[name]))
            let recorder = LoadRecorder()
            #expect(FileLoader().canLoad(request))
            let loaded = try await FileLoader().load(request, recorder.context)
            #expect(loaded.data == Data(0..<200))
            #expect(loaded.source == .file)
            #expect(recorder.progress == [LoadProgress(received: 200, expected: 200)])
        }
    }

    @Test("are taken whatever the case of their scheme (B25), and others are not")
    func schemes() throws {
        for (url, taken) in [
            ("file:///a.png", true), ("FILE:///a.png", true), ("http://file/a", false), ("data:,a", false),
        ] {
            #expect(FileLoader().canLoad(ImageRequest(try #require(URL(string: url)))) == taken, "\(url)")
        }
    }

    @Test(
        "over the limit are refused, at the limit are not",
        arguments: [(200, false), (199, true), (0, true), (-5, true)])
    func limit(bytes: Int, isRefused: Bool) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<200, to: "a.png")
            let request = ImageRequest(URL(fileURLWithPath: folder["a.png"])) { $0.limits.bytes = bytes }
            let recorder = LoadRecorder()
            do throws(ImageError) {
                let loaded = try await FileLoader().load(request, recorder.context)
                #expect(!isRefused && loaded.data.count == 200)
            } catch {
                #expect(isRefused)
                if case .tooLarge(.bytes(_, limit: bytes)) = error {} else { Issue.record("\(error)") }
                #expect(recorder.progress.isEmpty)
            }
        }
    }

    @Test("that are missing, or folders, are unreadable, with the path and the reason")
    func unreadable() async throws {
        try await TemporaryFolder.with { folder in
            try folder.makeFolder("folder")
            let expected = [("none", "no such file or directory"), ("folder", "is a directory")]
            for (name, reason) in expected {
                let request = ImageRequest(URL(fileURLWithPath: folder[name], isDirectory: false))
                await #expect(throws: ImageError.unreadable(path: folder[name], reason: reason)) {
                    try await FileLoader().load(request, LoadRecorder().context)
                }
            }
        }
    }
}
