import Testing

@testable import EaselCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Folder: reading and writing files")
struct FolderFilesTests {
    private static let attribute = "user.easel"

    @Test("gives back the bytes and the attribute that were written", arguments: [0, 1, 4_095, 4_096, 300_000])
    func roundTrip(length: Int) async throws {
        try await with { folder, outer in
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try write(data, attribute: [7, 0, 255], to: "file", in: folder)
            let found = try #require(try folder.read("file", attribute: Self.attribute))
            #expect(found.data == data)
            #expect(found.attribute == [7, 0, 255])
            #expect(try outer.names() == ["file"])
        }
    }

    @Test("a shorter file in place of a longer one leaves no tail (B36)")
    func shorter() async throws {
        try await with { folder, outer in
            try write(Data(repeating: 1, count: 9_000), to: "file", in: folder)
            try write(Data([2]), to: "file", in: folder)
            #expect(try outer.bytes(of: "file") == [2])
        }
    }

    @Test("a write that fails at the last step leaves nothing behind")
    func failedRename() async throws {
        try await with { folder, outer in
            try outer.makeFolder("taken")
            #expect(throws: SystemError.self) { try write(Data([1]), to: "taken", in: folder) }
            let tooLong = String(repeating: "n", count: 300)
            #expect(throws: SystemError.self) { try write(Data([1]), to: tooLong, in: folder) }
            #expect(try outer.names() == ["taken"])
        }
    }

    @Test("a temporary name that is taken is an error, and that file stays")
    func takenTemporaryName() async throws {
        try await with { folder, outer in
            try outer.write([9], to: ".temporary")
            #expect(throws: SystemError.self) { try write(Data([1]), to: "file", in: folder) }
            #expect(try outer.names() == [".temporary"])
            #expect(try outer.bytes(of: ".temporary") == [9])
        }
    }

    @Test("the old file stays whole until the new one is: its reader keeps it")
    func replacing() async throws {
        try await with { folder, outer in
            try write(Data([1, 1]), to: "file", in: folder)
            let reader = try FileHandleReader(outer["file"])
            try write(Data([2, 2, 2]), to: "file", in: folder)
            #expect(reader.rest() == [1, 1])
        }
    }

    @Test("a file without the attribute gives its bytes alone")
    func withoutAttribute() async throws {
        try await with { folder, outer in
            try outer.write([1, 2], to: "file")
            let found = try #require(try folder.read("file", attribute: Self.attribute))
            #expect(found.data == Data([1, 2]))
            #expect(found.attribute == nil)
        }
    }

    @Test("what is no regular file is not there: links, folders and pipes, and none of them blocks")
    func otherKinds() async throws {
        try await with { folder, outer in
            try outer.write([1], to: "file")
            try outer.makeLink("link", to: "file")
            try outer.makeLink("dangling", to: "nowhere")
            try outer.makeFolder("folder")
            try outer.makePipe("pipe")
            for name in ["link", "dangling", "folder", "pipe", "none"] {
                #expect(try folder.read(name, attribute: Self.attribute) == nil, "\(name)")
            }
        }
    }

    @Test("writing over a link replaces the link, not what it leads to")
    func overLink() async throws {
        try await with { folder, outer in
            try outer.write([1], to: "target")
            try outer.makeLink("link", to: "target")
            try write(Data([2]), to: "link", in: folder)
            #expect(try outer.bytes(of: "target") == [1])
            #expect(try outer.bytes(of: "link") == [2])
            #expect(folder.facts(of: "link")?.isFile == true)
        }
    }

    @Test("a name that the system refuses is an error, not a miss")
    func refusedName() async throws {
        try await with { folder, _ in
            #expect(throws: SystemError.self) {
                try folder.read(String(repeating: "n", count: 300), attribute: Self.attribute)
            }
        }
    }

    private func with(_ body: (Folder, TemporaryFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { outer in
            try body(try Folder(path: outer.path, creating: false), outer)
        }
    }

    private func write(
        _ data: Data, attribute: [UInt8] = [1], to name: String, in folder: Folder
    ) throws(SystemError) {
        try folder.write(data, to: name, temporaryName: ".temporary", attribute: (Self.attribute, attribute))
    }
}
