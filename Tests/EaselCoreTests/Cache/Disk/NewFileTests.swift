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
            #expect(try outer.names().allSatisfy { TemporaryName.owner(of: $0) == processNumber })
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

@Suite("Temporary names of new files")
struct TemporaryNameTests {
    @Test("a name contains the process number and is used once")
    func names() {
        let names = (0..<100).map { _ in TemporaryName.next() }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { TemporaryName.owner(of: $0) == processNumber })
        #expect(names.allSatisfy { $0.hasPrefix(".tmp-\(processNumber)-") })
    }

    @Test(
        "other names have no owner (B51)",
        arguments: [
            "", ".tmp-", ".tmp-1", ".tmp-1-", ".tmp--1", ".tmp-0-1", ".tmp--5-1", ".tmp-1-2-3", ".tmp-1-x", ".tmp-x-1",
            ".tmp-1--2", "tmp-1-2", ".TMP-1-2", ".tmp-2147483648-1", ".tmp- 1-2", ".tmp-1-18446744073709551616",
        ])
    func others(name: String) {
        #expect(TemporaryName.owner(of: name) == nil)
    }

    @Test("a temporary file is left over if its owner is dead, or after a day (B51)")
    func leftOver() {
        let now = 10_000_000.0
        let day = TemporaryName.longestLife
        func isLeftOver(_ owner: Int32, age: Double) -> Bool {
            TemporaryName.isLeftOver(owner: owner, modified: now - age, now: now)
        }
        #expect(isLeftOver(.max, age: 0))
        // The first process runs as long as the system.
        for owner in [processNumber, 1] {
            #expect(!isLeftOver(owner, age: day - 1))
            #expect(isLeftOver(owner, age: day))
            // A file dated in the future does not prove that its owner is dead.
            #expect(!isLeftOver(owner, age: -day))
        }
    }
}
