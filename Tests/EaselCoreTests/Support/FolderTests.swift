import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Folder: opening, listing and files' facts")
struct FolderTests {
    @Test("is made with its parents where that is asked")
    func creating() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer["a/b/c"], creating: true)
            #expect(try folder.names().isEmpty)
            #expect(outer.exists("a/b/c"))
        }
    }

    @Test("with a slash at its end is made all the same")
    func trailingSlash() async throws {
        try await TemporaryFolder.with { outer in
            _ = try Folder(path: outer["a/b/"], creating: true)
            #expect(outer.exists("a/b"))
        }
    }

    @Test("that is missing is an error where it shall not be made")
    func missing() async throws {
        await #expect {
            try await TemporaryFolder.with { _ = try Folder(path: $0["none"], creating: false) }
        } throws: {
            ($0 as? SystemError)?.isMissing == true
        }
    }

    @Test("cannot be made below a regular file")
    func belowFile() async throws {
        try await TemporaryFolder.with { outer in
            try outer.write([1], to: "file")
            #expect(throws: SystemError.self) { try Folder(path: outer["file/folder/inner"], creating: true) }
            #expect(throws: SystemError.self) { try Folder(path: outer["file"], creating: true) }
            #expect(try outer.bytes(of: "file") == [1])
        }
    }

    @Test("lists everything but itself and its parent, each time anew")
    func names() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            #expect(try folder.names().isEmpty)
            try outer.write([], to: "file")
            try outer.write([], to: ".hidden")
            try outer.makeFolder("folder")
            try outer.makeLink("link", to: "nowhere")
            #expect(try Set(folder.names()) == ["file", ".hidden", "folder", "link"])
            #expect(try folder.names().count == 4)
        }
    }

    @Test("notices that its path leads elsewhere: removed, moved away, replaced")
    func inPlace() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer["folder"], creating: true)
            #expect(folder.isInPlace)
            try FileManager.default.moveItem(atPath: outer["folder"], toPath: outer["elsewhere"])
            #expect(!folder.isInPlace)
            try outer.makeFolder("folder")
            #expect(!folder.isInPlace)
            try outer.remove("folder")
            try FileManager.default.moveItem(atPath: outer["elsewhere"], toPath: outer["folder"])
            #expect(folder.isInPlace)
        }
    }

    @Test("tells a file's length and kind, and does not look behind a link")
    func facts() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1, 2, 3], to: "file")
            try outer.makeFolder("folder")
            try outer.makeLink("link", to: "file")
            #expect(folder.facts(of: "file")?.byteCount == 3)
            #expect(folder.facts(of: "file")?.isFile == true)
            #expect(folder.facts(of: "folder")?.isFile == false)
            #expect(folder.facts(of: "link")?.isFile == false)
            #expect(folder.facts(of: "none") == nil)
        }
    }

    @Test("sets the time of access and leaves the time of modification")
    func touch() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            let before = try #require(folder.facts(of: "file"))
            folder.touch("file", accessed: 1_000_000.25)
            let after = try #require(folder.facts(of: "file"))
            #expect(after.accessed == 1_000_000.25)
            #expect(after.modified == before.modified)
        }
    }

    @Test("where the file system keeps only the day of an access, the time of modification is that of the last use")
    func touchByDay() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            // Midnight, as FAT keeps it of any time of that day.
            let midnight = 1_699_920_000.0
            folder.touch("file", accessed: midnight)
            let before = try #require(folder.facts(of: "file"))
            #expect(before.hasDayOfAccess && before.accessed == before.modified && before.modified > midnight)
            folder.touch("file", accessed: midnight, orModified: true)
            let after = try #require(folder.facts(of: "file"))
            #expect(after.accessed == midnight && after.modified == midnight)
        }
    }

    @Test("tells whether there was something to remove")
    func remove() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            #expect(try folder.remove("file"))
            #expect(try !folder.remove("file"))
            #expect(!outer.exists("file"))
        }
    }

    @Test("removes a link, not what it leads to")
    func removeLink() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            try outer.makeLink("link", to: "file")
            #expect(try folder.remove("link"))
            #expect(try outer.names() == ["file"])
        }
    }
}
