import EaselCore
import Foundation
import Testing

@testable import easel

@Suite("Output folder")
struct OutputFolderTests {
    @Test("the folder is created with its parents")
    func creation() throws {
        try withTemporaryFolder { root in
            let folder = try OutputFolder(root + "/a/b")
            try folder.write(Data([1, 2]), to: "x.bin")
            #expect(FileManager.default.contents(atPath: root + "/a/b/x.bin") == Data([1, 2]))
        }
    }

    @Test("an existing file is replaced")
    func replacement() throws {
        try withTemporaryFolder { root in
            let folder = try OutputFolder(root)
            try folder.write(Data([1, 2, 3]), to: "x")
            try folder.write(Data([4]), to: "x")
            #expect(FileManager.default.contents(atPath: root + "/x") == Data([4]))
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["x"])
        }
    }

    @Test("a symbolic link is replaced and not followed")
    func symbolicLink() throws {
        try withTemporaryFolder { root in
            let folder = try OutputFolder(root + "/out")
            try Data([9]).write(to: URL(filePath: root + "/victim"))
            try FileManager.default.createSymbolicLink(
                atPath: root + "/out/x", withDestinationPath: root + "/victim")
            try folder.write(Data([1]), to: "x")
            #expect(FileManager.default.contents(atPath: root + "/victim") == Data([9]))
            #expect(FileManager.default.contents(atPath: root + "/out/x") == Data([1]))
        }
    }

    @Test("a failed write leaves no temporary file")
    func failedWrite() throws {
        try withTemporaryFolder { root in
            let folder = try OutputFolder(root)
            try FileManager.default.createDirectory(atPath: root + "/x/y", withIntermediateDirectories: true)
            #expect(throws: ImageError.self) { try folder.write(Data([1]), to: "x") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["x"])
        }
    }

    @Test("a file as parent throws `unwritable`")
    func fileAsParent() throws {
        try withTemporaryFolder { root in
            try Data().write(to: URL(filePath: root + "/file"))
            let error = #expect(throws: ImageError.self) { try OutputFolder(root + "/file/below") }
            #expect(error?.code == .unwritable)
        }
    }
}
