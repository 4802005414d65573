import Testing

@testable import EaselCore

import EaselFoundation

@Suite("A file before it is published")
struct NewFileTests {
    private func with(_ body: (Folder, TemporaryFolder) throws -> Void) async throws {
        try await TemporaryFolder.with { try body(try Folder(path: $0.path, creating: false), $0) }
    }

    @Test("is hidden until it is whole, and then has all of its bytes")
    func published() async throws {
        try await with { folder, outer in
            var new = try NewFile(in: folder)
            try new.append(Data([1, 2, 3]))
            #expect(try outer.names().allSatisfy { TemporaryName.owner(of: $0) == processNumber })
            try new.publish(as: "file")
            #expect(try outer.names() == ["file"])
            #expect(try outer.bytes(of: "file") == [1, 2, 3])
        }
    }

    @Test("takes the place of the file that has its name")
    func replacing() async throws {
        try await with { folder, outer in
            try outer.write([9, 9], to: "file")
            var new = try NewFile(in: folder)
            try new.append(Data([1]))
            #expect(try outer.bytes(of: "file") == [9, 9])
            try new.publish(as: "file")
            #expect(try outer.bytes(of: "file") == [1])
            #expect(try outer.names() == ["file"])
        }
    }

    @Test("leaves nothing behind where it is not published")
    func unpublished() async throws {
        try await with { folder, outer in
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

    @Test("is in no folder any more that was removed meanwhile")
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

@Suite("Temporary names of entries that are being written")
struct TemporaryNameTests {
    @Test("tell the process that writes, and are given once")
    func names() {
        let names = (0..<100).map { _ in TemporaryName.next() }
        #expect(Set(names).count == 100)
        #expect(names.allSatisfy { TemporaryName.owner(of: $0) == processNumber })
        #expect(names.allSatisfy { $0.hasPrefix(".tmp-\(processNumber)-") })
    }

    @Test(
        "no other name has an owner (B51)",
        arguments: [
            "", ".tmp-", ".tmp-1", ".tmp-1-", ".tmp--1", ".tmp-0-1", ".tmp--5-1", ".tmp-1-2-3", ".tmp-1-x", ".tmp-x-1",
            ".tmp-1--2", "tmp-1-2", ".TMP-1-2", ".tmp-2147483648-1", ".tmp- 1-2", ".tmp-1-18446744073709551616",
        ])
    func others(name: String) {
        #expect(TemporaryName.owner(of: name) == nil)
    }

    @Test("are left over when their owner is dead, and whoever it is after a day (B51)")
    func leftOver() {
        let now = 10_000_000.0
        let day = TemporaryName.longestLife
        func isLeftOver(_ owner: Int32, age: Double) -> Bool {
            TemporaryName.isLeftOver(owner: owner, modified: now - age, now: now)
        }
        #expect(isLeftOver(.max, age: 0))
        // The first process of a system lives as long as the system.
        for owner in [processNumber, 1] {
            #expect(!isLeftOver(owner, age: day - 1))
            #expect(isLeftOver(owner, age: day))
            // The clock went back: a file of the future is nobody's proof of death.
            #expect(!isLeftOver(owner, age: -day))
        }
    }
}
