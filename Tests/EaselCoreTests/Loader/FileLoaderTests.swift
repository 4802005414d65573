import EaselFoundation
import Testing

@testable import EaselCore

@Suite("file: URLs (R039)", .timeLimit(.minutes(1)))
struct FileLoaderTests {
    @Test("loading a file reports progress once", arguments: ["a.png", "with space.png", "ä%20 名前.png", "a?b#c.png"])
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

    @Test("the scheme is case-insensitive (B25), and other schemes are not accepted")
    func schemes() throws {
        for (url, taken) in [
            ("file:///a.png", true), ("FILE:///a.png", true), ("http://file/a", false), ("data:,a", false),
        ] {
            #expect(FileLoader().canLoad(ImageRequest(try #require(URL(string: url)))) == taken, "\(url)")
        }
    }

    @Test(
        "a file over the limit is refused, and one at the limit is not",
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
                if case .bytes(_, limit: bytes)? = error.excess {} else { Issue.record("\(error)") }
                #expect(recorder.progress.isEmpty)
            }
        }
    }

    @Test("a missing file or a folder is unreadable, with its path and the reason")
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

    @Test("a pipe without a writer is empty and blocks no thread")
    func pipeWithoutWriter() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<9, to: "a.png")
            #expect(mkfifo(folder["pipe"], 0o600) == 0)
            for _ in 0..<8 {
                let pipe = ImageRequest(URL(fileURLWithPath: folder["pipe"]))
                let loaded = try await FileLoader().load(pipe, LoadRecorder().context)
                #expect(loaded.data.isEmpty)
            }
            let file = ImageRequest(URL(fileURLWithPath: folder["a.png"]))
            #expect(try await FileLoader().load(file, LoadRecorder().context).data == Data(0..<9))
        }
    }

    @Test("a pipe with a slow writer is read to its end and blocks no thread")
    func slowPipe() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<9, to: "a.png")
            #expect(mkfifo(folder["pipe"], 0o600) == 0)
            // Opened for both, so that the reader finds a writer.
            let writer = open(folder["pipe"], O_RDWR | O_CLOEXEC)
            #expect(writer >= 0)
            let requests = ImageRequest(URL(fileURLWithPath: folder["pipe"]))
            let loads = Task { try await FileLoader().load(requests, LoadRecorder().context).data }
            // More readers than file threads.
            let stuck = (0..<8).map { _ in
                Task { try await FileLoader().load(requests, LoadRecorder().context).data }
            }
            let file = ImageRequest(URL(fileURLWithPath: folder["a.png"]))
            #expect(try await FileLoader().load(file, LoadRecorder().context).data == Data(0..<9))
            for load in stuck {
                load.cancel()
                await #expect(throws: (any Error).self) { try await load.value }
            }
            let bytes = [UInt8](0..<200)
            #expect(write(writer, bytes, bytes.count) == bytes.count)
            _ = close(writer)
            #expect(try await loads.value == Data(bytes))
        }
    }

    @Test("an endless file is refused at the limit", .enabled(if: FileManager.default.fileExists(atPath: "/dev/zero")))
    func endless() async throws {
        let request = ImageRequest(URL(fileURLWithPath: "/dev/zero")) { $0.limits.bytes = 100_000 }
        await #expect { try await FileLoader().load(request, LoadRecorder().context) } throws: {
            ($0 as? ImageError)?.code == .tooLarge
        }
    }
}
