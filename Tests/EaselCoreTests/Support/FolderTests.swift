import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Folder: opening, listing and file attributes")
struct FolderTests {
    @Test("a folder is created with its parents if requested")
    func creating() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer["a/b/c"], creating: true)
            #expect(try folder.names().isEmpty)
            #expect(outer.exists("a/b/c"))
        }
    }

    @Test("a folder with a trailing slash is created")
    func trailingSlash() async throws {
        try await TemporaryFolder.with { outer in
            _ = try Folder(path: outer["a/b/"], creating: true)
            #expect(outer.exists("a/b"))
        }
    }

    @Test("opening a missing folder without creation is an error")
    func missing() async throws {
        await #expect {
            try await TemporaryFolder.with { _ = try Folder(path: $0["none"], creating: false) }
        } throws: {
            ($0 as? SystemError)?.isMissing == true
        }
    }

    @Test("a folder below a regular file cannot be created")
    func belowFile() async throws {
        try await TemporaryFolder.with { outer in
            try outer.write([1], to: "file")
            #expect(throws: SystemError.self) { try Folder(path: outer["file/folder/inner"], creating: true) }
            #expect(throws: SystemError.self) { try Folder(path: outer["file"], creating: true) }
            #expect(try outer.bytes(of: "file") == [1])
        }
    }

    @Test("names lists everything but the folder and its parent, up to date each time")
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

    @Test("isInPlace is false after the folder is removed, moved or replaced")
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

    @Test("facts have length and kind of a file, and do not follow links")
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

    @Test("touch sets the access time and keeps the modification time")
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

    @Test("if the file system stores only the day of access, the modification time is the last use")
    func touchByDay() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            // Midnight, as FAT stores any access time of that day.
            let midnight = 1_699_920_000.0
            folder.touch("file", accessed: midnight)
            let before = try #require(folder.facts(of: "file"))
            #expect(before.hasDayOfAccess && before.accessed == before.modified && before.modified > midnight)
            folder.touch("file", accessed: midnight, orModified: true)
            let after = try #require(folder.facts(of: "file"))
            #expect(after.accessed == midnight && after.modified == midnight)
        }
    }

    @Test("remove returns whether the file existed")
    func remove() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer.path, creating: false)
            try outer.write([1], to: "file")
            #expect(try folder.remove("file"))
            #expect(try !folder.remove("file"))
            #expect(!outer.exists("file"))
        }
    }

    @Test("remove deletes a link, not its target")
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
