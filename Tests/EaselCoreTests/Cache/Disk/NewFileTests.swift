import Testing

@testable import EaselCore

import EaselFoundation

@Suite("A file before it has its name")
struct NewFileTests {
    private func with(_ body: (Folder, TemporaryFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { try body(try Folder(path: $0.path, creating: false), $0) }
    }

    @Test("is hidden until it is whole, and then has all of its bytes", arguments: [false, true])
    func named(isNamed: Bool) async throws {
        try await with { folder, outer in
            var new = try NewFile(in: folder, isNamed: isNamed)
            try new.file.append(Data([1, 2, 3]))
            let isHidden = try outer.names().allSatisfy { TemporaryName.owner(of: $0) == processNumber }
            #expect(isHidden)
            let isTaken = try new.take(new: "file")
            #expect(isTaken)
            #expect(try outer.names() == ["file"])
            #expect(try outer.bytes(of: "file") == [1, 2, 3])
        }
    }

    @Test("takes no name that another has, but for its place where it shall", arguments: [false, true])
    func replacing(isNamed: Bool) async throws {
        try await with { folder, outer in
            try outer.write([9, 9], to: "file")
            var new = try NewFile(in: folder, isNamed: isNamed)
            try new.file.append(Data([1]))
            let isFree = try new.take(new: "file")
            #expect(!isFree)
            #expect(try outer.bytes(of: "file") == [9, 9])
            try new.take("file")
            #expect(try outer.bytes(of: "file") == [1])
            #expect(try outer.names() == ["file"])
        }
    }

    @Test("leaves nothing behind where it gets no name", arguments: [false, true])
    func unnamed(isNamed: Bool) async throws {
        try await with { folder, outer in
            try outer.makeFolder("taken")
            do {
                var new = try NewFile(in: folder, isNamed: isNamed)
                try new.file.append(Data(count: 5_000))
                // A folder is not replaced.
                #expect((try? new.take("taken")) == nil)
            }
            #expect(try outer.names() == ["taken"])
        }
    }

    @Test("is in no folder any more that was removed meanwhile", arguments: [false, true])
    func removedFolder(isNamed: Bool) async throws {
        try await TemporaryFolder.with { outer in
            let folder = try Folder(path: outer["folder"], creating: true)
            var new = try NewFile(in: folder, isNamed: isNamed)
            try outer.remove("folder")
            var failure: SystemError?
            do throws(SystemError) { _ = try new.take(new: "file") } catch { failure = error }
            #expect(failure?.isMissing == true)
            // That says nothing of what the system can.
            #expect(folder.namesLater)
        }
    }

    @Test("has no name on a file system that can do without, which leaves nothing where the process dies")
    func withoutName() async throws {
        try await with { folder, outer in
            guard let file = folder.createUnnamed() else { return }
            try file.append(Data([1]))
            #expect(try outer.names().isEmpty)
        }
    }
}
