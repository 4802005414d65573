import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Folder: reading and writing files")
struct FolderFilesTests {
    private static let attribute = "user.easel"

    @Test("data and attribute are read as they were written", arguments: [0, 1, 4_095, 4_096, 300_000])
    func roundTrip(length: Int) async throws {
        try await withFixture { folder, outer in
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try write(data, attribute: [7, 0, 255], to: "file", in: folder)
            let file = try #require(try readFile("file", in: folder))
            #expect(file.data == data)
            #expect(file.attribute == [7, 0, 255])
            #expect(try outer.names() == ["file"])
        }
    }

    @Test("a file in the page cache is read without waiting", arguments: [0, 1, 4_096, 300_000])
    func cached(length: Int) async throws {
        try await withFixture { folder, _ in
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try write(data, to: "file", in: folder)
            // A system that cannot report residency throws, which is not a wrong result.
            let read = (try? folder.openCached("file")?.readCached(count: length)) ?? nil
            #expect(read == nil || read == data)
        }
    }

    @Test("a wrong expected length does not affect a read", arguments: [0, 10, 100_000])
    func wrongGuess(expected: Int) async throws {
        try await withFixture { folder, outer in
            try outer.write([UInt8](repeating: 3, count: 5_000), to: "file")
            #expect(try folder.open("file")?.read(expected: expected).count == 5_000)
        }
    }

    @Test("an attribute of 40,000 bytes is read whole, if the file system supports it")
    func largeAttribute() async throws {
        try await withFixture { folder, outer in
            let large = [UInt8](repeating: 5, count: 40_000)
            try outer.write([1], to: "file")
            guard (try? folder.open("file")?.setAttribute(Self.attribute, large)) != nil else { return }
            #expect(try folder.open("file")?.attribute(Self.attribute) == large)
        }
    }

    @Test("a shorter file replaces a longer one entirely (B36)")
    func shorter() async throws {
        try await withFixture { folder, outer in
            try write(Data(repeating: 1, count: 9_000), to: "file", in: folder)
            try write(Data([2]), to: "file", in: folder)
            #expect(try outer.bytes(of: "file") == [2])
        }
    }

    @Test("creating a file with an existing name is an error, and that file stays")
    func nameInUse() async throws {
        try await withFixture { folder, outer in
            try outer.write([9], to: ".temporary")
            let error = #expect(throws: SystemError.self) { try write(Data([1]), to: "file", in: folder) }
            #expect(error?.number == EEXIST)
            #expect(try outer.names() == [".temporary"])
            #expect(try outer.bytes(of: ".temporary") == [9])
        }
    }

    @Test("a reader keeps the old file after it is replaced (B44)")
    func replacing() async throws {
        try await withFixture { folder, outer in
            try write(Data([1, 1]), to: "file", in: folder)
            let reader = try FileHandleReader(outer["file"])
            try write(Data([2, 2, 2]), to: "file", in: folder)
            #expect(reader.readToEnd() == [1, 1])
        }
    }

    @Test("a file without the attribute returns nil")
    func withoutAttribute() async throws {
        try await withFixture { folder, outer in
            try outer.write([1, 2], to: "file")
            let file = try #require(try readFile("file", in: folder))
            #expect(file.data == Data([1, 2]))
            #expect(file.attribute == nil)
        }
    }

    @Test("links are not opened, and folders and pipes do not block and are not files")
    func otherKinds() async throws {
        try await withFixture { folder, outer in
            try outer.write([1], to: "file")
            try outer.makeLink("link", to: "file")
            try outer.makeLink("dangling", to: "nowhere")
            try outer.makeFolder("folder")
            try outer.makePipe("pipe")
            for name in ["link", "dangling", "none"] {
                #expect(try folder.open(name)?.facts().isFile == nil, "\(name)")
            }
            for name in ["folder", "pipe"] {
                #expect(try folder.open(name)?.facts().isFile == false, "\(name)")
            }
        }
    }

    @Test("writing to a link replaces the link, not its target")
    func overLink() async throws {
        try await withFixture { folder, outer in
            try outer.write([1], to: "target")
            try outer.makeLink("link", to: "target")
            try write(Data([2]), to: "link", in: folder)
            #expect(try outer.bytes(of: "target") == [1])
            #expect(try outer.bytes(of: "link") == [2])
            #expect(folder.facts(of: "link")?.isFile == true)
        }
    }

    @Test("a name that the system rejects is an error, not a miss")
    func refusedName() async throws {
        try await withFixture { folder, _ in
            #expect(throws: SystemError.self) {
                _ = try folder.open(String(repeating: "n", count: 300))
            }
        }
    }

    private func withFixture(_ body: (Folder, TemporaryFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { outer in
            try body(try Folder(path: outer.path, creating: false), outer)
        }
    }

    private func write(
        _ data: Data, attribute: [UInt8] = [1], to name: String, in folder: Folder
    ) throws(SystemError) {
        let file = try folder.create(".temporary")
        try file.append(data)
        try file.setAttribute(Self.attribute, attribute)
        try folder.rename(".temporary", to: name)
    }

    private func readFile(
        _ name: String, in folder: Folder
    ) throws(SystemError) -> (data: Data, attribute: [UInt8]?)? {
        guard let file = try folder.open(name) else { return nil }
        return (try file.read(expected: try file.facts().byteCount), try file.attribute(Self.attribute))
    }
}
