import Foundation
import Testing

@testable import EaselCore
@testable import cache_writer

@Suite("Disk cache: a process without resources", .withWriter, .timeLimit(.minutes(1)))
struct DiskCacheStarvedTests {
    @Test("without file descriptors calls throw errors that say so, no entry is lost, and later calls work")
    func descriptors() async throws {
        try await TemporaryFolder.with { folder in
            let lines = try await withoutDescriptors(
                folder.path,
                "store 1 1 exhaust store 2 1 store 1 2 read 1 remove-all release count read 1 read 2 store 2 2 read 2")
            let reason = "too many open files"
            #expect(lines.count == 12)
            #expect(lines.prefix(2) == ["stored", "exhausted"])
            for line in lines.dropFirst(2).prefix(4) { #expect(line.lowercased().contains(reason), "\(line)") }
            #expect(lines.dropFirst(6) == ["released", "1 entries", "version 1", "missing", "stored", "version 2"])
            #expect(try folder.names().allSatisfy { !$0.hasPrefix(".tmp-") })
        }
    }

    @Test("without file descriptors from the start, a read is an error, not a miss (B32)")
    func descriptorsFromTheStart() async throws {
        try await TemporaryFolder.with { folder in
            try await DiskCache(folder: folder.path).store(
                SeededEntry(number: 1, version: 1).data, for: SeededEntry(number: 1, version: 1).key)
            let lines = try await withoutDescriptors(
                folder.path, "exhaust read 1 store 2 1 remove-all release read 1")
            #expect(lines.count == 6)
            for line in lines.dropFirst().prefix(3) {
                #expect(line.lowercased().contains("too many open files"), "\(line)")
            }
            #expect(lines.suffix(2) == ["released", "version 1"])
        }
    }

    /// Runs steps in a process with few file descriptors. Repeats a run that libdispatch ended, because it had no
    /// descriptor for the file that it opens once a second.
    private func withoutDescriptors(_ folder: String, _ steps: String) async throws -> [String] {
        for _ in 0..<5 {
            let process = try WriterProcess(folder, descriptors: 32, steps)
            let lines = await process.end()
            if !process.wasEndedBySignal { return lines }
        }
        return []
    }

    // The superuser can read and write every file, so the process becomes another user.
    @Test(
        "in a read-only folder stores are errors, reads are hits and nothing changes",
        .enabled(if: !permissionsApply))
    func readOnlyFolder() async throws {
        try await runUnprivileged(mode: 0o755, "store 1 2 read 1 read 2 remove-all read 1") { lines in
            #expect(lines.count == 6)
            for line in [lines[1], lines[4]] {
                #expect(line.hasPrefix("unwritable") && line.contains("ermission denied"), "\(line)")
            }
            #expect([lines[2], lines[3], lines[5]] == ["version 1", "missing", "version 1"])
        }
    }

    @Test("a folder without read permission is an error, not a miss (B32)", .enabled(if: !permissionsApply))
    func unreadableFolder() async throws {
        try await runUnprivileged(mode: 0o700, "read 1 store 1 2") { lines in
            #expect(lines.count == 3)
            #expect(lines[1].hasPrefix("unreadable") && lines[1].contains("ermission denied"), "\(lines[1])")
            #expect(lines[2].hasPrefix("unwritable") && lines[2].contains("ermission denied"), "\(lines[2])")
        }
    }

    /// Runs steps as a user who does not own the folder, which has one world-readable entry.
    private func runUnprivileged(mode: Int, _ steps: String, _ expect: ([String]) throws -> Void) async throws {
        try await DiskCacheFixture.with { fixture in
            let entry = SeededEntry(number: 1, version: 1)
            try await fixture.cache.store(entry.data, for: entry.key)
            let path = fixture.folder.path
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: fixture.folder[entry.key.fileName])
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let before = try fixture.facts(entry.key)
            let lines = try await WriterProcess.run(path, "become 65534 " + steps)
            try #require(lines.first == "became")
            try expect(lines)
            #expect(try fixture.facts(entry.key).changed == before.changed)
            #expect(try fixture.folder.names() == [entry.key.fileName])
        }
    }
}
