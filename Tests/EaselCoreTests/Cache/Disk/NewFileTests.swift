import Testing

@testable import EaselCore

import EaselFoundation

@Suite("New file before publication")
struct NewFileTests {
    private func withFixture(_ body: (Folder, TemporaryFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { try body(try Folder(path: $0.path, creating: false), $0) }
    }

    @Test("a new file is hidden until it is published with all its bytes")
    func published() async throws {
        try await withFixture { folder, outer in
            var new = try NewFile(in: folder)
            try new.append(Data([1, 2, 3]))
            #expect(try outer.names().allSatisfy { $0.hasPrefix(NewFile.prefix) })
            try new.publish(as: "file")
            #expect(try outer.names() == ["file"])
            #expect(try outer.bytes(of: "file") == [1, 2, 3])
        }
    }

    @Test("a published file replaces the one with its name")
    func replacing() async throws {
        try await withFixture { folder, outer in
            try outer.write([9, 9], to: "file")
            var new = try NewFile(in: folder)
            try new.append(Data([1]))
            #expect(try outer.bytes(of: "file") == [9, 9])
            try new.publish(as: "file")
            #expect(try outer.bytes(of: "file") == [1])
            #expect(try outer.names() == ["file"])
        }
    }

    @Test("an unpublished file is removed")
    func unpublished() async throws {
        try await withFixture { folder, outer in
            try outer.makeFolder("taken")
            do {
                var new = try NewFile(in: folder)
                try new.append(Data(count: 5_000))
                // A folder is not replaced.
                #expect((try? new.publish(as: "taken")) == nil)
            }
            #expect(try outer.names() == ["taken"])
        }
    }

    @Test("a file in a removed folder cannot be published")
    func removedFolder() async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer["folder"], creating: true)
            var new = try NewFile(in: folder)
            try outer.remove("folder")
            var failure: SystemError?
            do throws(SystemError) { try new.publish(as: "file") } catch { failure = error }
            #expect(failure?.isMissing == true)
        }
    }
}
