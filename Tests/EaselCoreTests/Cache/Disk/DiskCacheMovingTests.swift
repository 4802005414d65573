import Testing

@testable import EaselCore

import EaselFoundation
import EaselTesting
import TestSupport

@Suite("Disk cache: moving entries from another folder")
struct DiskCacheMovingTests {
    @Test("a folder is moved as a whole if the target does not exist (X109)")
    func moveFolder() async throws {
        try await TemporaryFolder.with { outer in
            try await DiskCache(folder: outer["old"]).store(Data([1]), for: "a")
            try DiskCache.moveEntries(from: outer["old"], to: outer["parent/new"])
            #expect(!outer.exists("old"))
            #expect(try await DiskCache(folder: outer["parent/new"]).data(for: "a") == Data([1]))
        }
    }

    @Test("files are moved one by one into an existing folder and replace none (X109)")
    func merged() async throws {
        try await TemporaryFolder.with { outer in
            let old = DiskCache(folder: outer["old"])
            let new = DiskCache(folder: outer["new"])
            for key in ["both", "old"] { try await old.store(Data([1]), for: CacheKey(key)) }
            for key in ["both", "new"] { try await new.store(Data([2]), for: CacheKey(key)) }
            try DiskCache.moveEntries(from: old.folder, to: new.folder)
            #expect(try await new.data(for: "old") == Data([1]))
            #expect(try await new.data(for: "both") == Data([2]))
            #expect(try await new.data(for: "new") == Data([2]))
            #expect(await new.verify() == .init(entries: 3, torn: 0, removed: 0, bytes: 3))
        }
    }

    @Test("moving a folder onto itself, or a missing folder, has no effect (X109)")
    func nothing() async throws {
        try await TemporaryFolder.with { outer in
            try await DiskCache(folder: outer["a"]).store(Data([1]), for: "a")
            try DiskCache.moveEntries(from: outer["a"], to: outer["a"] + "/")
            try DiskCache.moveEntries(from: outer["none"], to: outer["b"])
            try outer.write([1], to: "file")
            try DiskCache.moveEntries(from: outer["file"], to: outer["b"])
            #expect(try outer.names() == ["a", "file"])
            #expect(try await DiskCache(folder: outer["a"]).data(for: "a") == Data([1]))
        }
    }

    @Test("the migration hook runs once, before the first read (X077)")
    func hook() async throws {
        try await TemporaryFolder.with { outer in
            try await DiskCache(folder: outer["old"]).store(Data([1]), for: "a")
            let runs = Recorder<String>()
            var configuration = DiskCache.Configuration()
            configuration.migrate = { folder in
                runs.record(folder)
                try? DiskCache.moveEntries(from: outer["old"], to: folder)
            }
            let cache = DiskCache(folder: outer["new"], configuration: configuration)
            #expect(try await cache.data(for: "a") == Data([1]))
            _ = try await cache.data(for: "b")
            try await cache.store(Data([2]), for: "b")
            #expect(runs.events == [outer["new"]])
        }
    }
}
