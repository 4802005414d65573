import EaselCore
import Foundation
import Testing

@testable import easel

@Suite(.enabled(if: RunningCommand.isBuilt, "the command easel is not built"))
struct CacheCommandTests {
    /// Fills a cache with two entries, the second of which is damaged.
    private func fill(_ folder: CommandFolder) async throws {
        let cache = DiskCache(folder: folder.cache)
        try await cache.store(Data(repeating: 1, count: 100), for: CacheKey("first", fileExtension: ""))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.cache)
        try await cache.store(Data(repeating: 2, count: 50), for: CacheKey("second", fileExtension: ""))
        let after = try FileManager.default.contentsOfDirectory(atPath: folder.cache)
        let second = try #require(Set(after).subtracting(before).first)
        let handle = try #require(FileHandle(forWritingAtPath: folder.cache + "/" + second))
        try handle.write(contentsOf: Data([9]))
        try handle.close()
    }

    private func object(_ folder: CommandFolder, _ command: String) async throws -> [String: any Sendable] {
        let outcome = try await folder.run(["cache", command, "--json"])
        #expect(outcome.status == 0)
        return try #require(outcome.objects.first)
    }

    @Test("stats counts entries and bytes")
    func stats() async throws {
        try await CommandFolder.with { folder in
            try await fill(folder)
            let object = try await object(folder, "stats")
            #expect(Set(object.keys) == ["entries", "bytes", "decodedBytes", "pinnedBytes", "folder"])
            #expect(object["entries"] as? Int == 2)
            #expect(object["bytes"] as? Int == 150)
            #expect(object["folder"] as? String == folder.cache)
        }
    }

    @Test("verify removes damaged entries")
    func verify() async throws {
        try await CommandFolder.with { folder in
            try await fill(folder)
            let first = try await object(folder, "verify")
            #expect(Set(first.keys) == ["entries", "torn", "removed", "bytes", "folder"])
            #expect(first["entries"] as? Int == 2)
            #expect(first["torn"] as? Int == 1)
            #expect(first["removed"] as? Int == 1)
            let second = try await object(folder, "verify")
            #expect(second["entries"] as? Int == 1)
            #expect(second["torn"] as? Int == 0)
            #expect(second["bytes"] as? Int == 100)
        }
    }

    @Test("clear removes all entries")
    func clear() async throws {
        try await CommandFolder.with { folder in
            try await fill(folder)
            #expect(try await object(folder, "clear")["entries"] as? Int == 0)
            #expect(try await object(folder, "stats")["bytes"] as? Int == 0)
        }
    }

    @Test("trim keeps entries within the limits")
    func trim() async throws {
        try await CommandFolder.with { folder in
            try await fill(folder)
            #expect(try await object(folder, "trim")["entries"] as? Int == 2)
        }
    }

    @Test("--cache takes precedence over the environment")
    func cacheOption() async throws {
        try await CommandFolder.with { folder in
            let usual = try await folder.run(["cache", "path"])
            let named = try await folder.run(["cache", "path", "--cache", "/x/y"])
            #expect(usual.output == folder.cache + "\n")
            #expect(named.output == "/x/y\n")
        }
    }

    @Test("pins are listed, and unpin removes them")
    func pinAndUnpin() async throws {
        try await CommandFolder.with { folder in
            let url = "https://example.com/a.png"
            let key = ImageRequest(try #require(URL(string: url))).originalKey
            try await DiskCache(folder: folder.cache).store(Data(repeating: 1, count: 100), for: key)
            #expect(try await object(folder, "stats")["pinnedBytes"] as? Int == 0)
            let pin = try await folder.run(["cache", "pin", "--json", url])
            #expect(pin.status == 0)
            #expect(pin.objects.first?["pinned"] as? Bool == true)
            #expect(try await object(folder, "stats")["pinnedBytes"] as? Int == 100)
            let list = try await folder.run(["cache", "list", "--pinned", "--json"])
            #expect(list.objects.count == 1)
            #expect(list.objects.first?["bytes"] as? Int == 100)
            #expect(list.objects.first?["pinned"] as? Bool == true)
            #expect(try await folder.run(["cache", "unpin", url]).status == 0)
            #expect(try await folder.run(["cache", "list", "--pinned"]).output.isEmpty)
            #expect(try await folder.run(["cache", "list", "--json"]).objects.count == 1)
        }
    }

    @Test("a malformed URL fails, and the others are pinned")
    func malformedURL() async throws {
        try await CommandFolder.with { folder in
            let outcome = try await folder.run(["cache", "pin", "--json", "", "https://example.com/a.png"])
            #expect(outcome.status == 1)
            #expect(outcome.objects.map { $0["ok"] as? Bool } == [false, true])
        }
    }
}
