import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Reading whole files")
struct ReadFileTests {
    @Test("a file is read up to the limit, plus one byte if it is longer")
    func limit() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<100, to: "file")
            #expect(try readFile(folder["file"], limit: .max - 1) == Data(0..<100))
            #expect(try readFile(folder["file"], limit: 100) == Data(0..<100))
            #expect(try readFile(folder["file"], limit: 99).count == 100)
            #expect(try readFile(folder["file"], limit: 10) == Data(0..<11))
        }
    }

    @Test("a limit of zero or less does not crash", arguments: [0, -1, -1_000, Int.min])
    func noLimit(limit: Int) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(0..<100, to: "file")
            #expect(try readFile(folder["file"], limit: limit).count == 1)
        }
    }

    @Test("an empty file has no data")
    func empty() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([], to: "file")
            #expect(try readFile(folder["file"], limit: 10).isEmpty)
        }
    }

    @Test("a folder or a missing file is an error with the reason of the system")
    func errors() async throws {
        try await TemporaryFolder.with { folder in
            #expect(throws: SystemError.self) { try readFile(folder.path, limit: 10) }
            #expect {
                try readFile(folder["none"], limit: 10)
            } throws: {
                ($0 as? SystemError)?.isMissing == true
            }
        }
    }

    // Only on systems with such files.
    @Test(
        "a file of unknown length is read to its end",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func unknownLength() throws {
        let status = String(decoding: try readFile("/proc/self/status", limit: 1 << 20), as: UTF8.self)
        #expect(status.contains("Threads:"))
    }
}
