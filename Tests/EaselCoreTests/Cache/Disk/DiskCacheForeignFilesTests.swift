import Synchronization
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: foreign files")
struct DiskCacheForeignFilesTests {
    private static let foreign: Set<String> = [
        "notes.txt", ".hidden", "0cc175b9c0f1b6a831c399e26977266", "0cc175b9c0f1b6a831c399e2697726610",
        "0CC175B9C0F1B6A831C399E269772661", "0cc175b9c0f1b6a831c399e26977266g.png",
        "0cc175b9c0f1b6a831c399e269772661-png",
        ".tmp-notes", ".tmp-2147483647", ".tmp-0-1", ".tmp--5-1", ".tmp-2147483647-x", ".tmp-2147483647-1-2", ".tmp-",
    ]

    @Test("foreign files are neither counted nor removed (B51)")
    func untouched() async throws {
        try await DiskCacheFixture.with(maximumBytes: 10, maximumAge: .seconds(0)) { fixture in
            for name in Self.foreign { try fixture.folder.write([1, 2, 3], to: name) }
            try await fixture.cache.store(Data([1]), for: "https://images.test/a")
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: 1))
            #expect(await fixture.cache.verify().entries == 1)
            await fixture.cache.trim()
            try await fixture.cache.removeAll()
            #expect(try fixture.folder.names() == Self.foreign)
        }
    }

    @Test("temporary files of a dead process are removed after the first store, those of a running one are not (B51)")
    func temporaries() async throws {
        try await DiskCacheFixture.with { fixture in
            let dead = ".tmp-\(Int32.max)-7"
            // The first process runs as long as the system.
            let living: Set<String> = [".tmp-1-7", ".tmp-\(processNumber)-999999999"]
            for name in living.union([dead]) { try fixture.folder.write([1], to: name) }
            try await fixture.cache.store(Data([1]), for: "a")
            await fixture.cache.settle()
            #expect(try fixture.folder.names() == living.union([CacheKey("a").fileName]))
        }
    }

    @Test("a temporary file that is days old is removed, even if a process has its number")
    func oldTemporaries() async throws {
        try await DiskCacheFixture.with { fixture in
            for name in [".tmp-1-7", ".tmp-\(processNumber)-999999999"] {
                try fixture.folder.write([1], to: name)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -100_000)], ofItemAtPath: fixture.folder[name])
            }
            try await fixture.cache.store(Data([1]), for: "a")
            await fixture.cache.settle()
            #expect(try fixture.folder.names() == [CacheKey("a").fileName])
        }
    }

    @Test("existing temporary names of an earlier process with the same number are skipped")
    func namesInUse() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([2]), for: "a")
            // Concurrent tests also use names, so more than one is taken.
            let next = TemporaryName.count.load(ordering: .relaxed) + 1
            let existing = Set((next..<(next + 300)).map { ".tmp-\(processNumber)-\($0)" })
            for name in existing { try fixture.folder.write([9], to: name) }
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await fixture.cache.data(for: "a") == Data([1]))
            #expect(try fixture.folder.names() == existing.union([CacheKey("a").fileName]))
        }
    }

    @Test("no store leaves a temporary file, whether it succeeds or fails (X070)")
    func nothingLeft() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.makeFolder(CacheKey("taken").fileName)
            for number in 0..<20 {
                try await fixture.cache.store(Data([1]), for: CacheKey("\(number % 3)"))
                try? await fixture.cache.store(Data([1]), for: "taken")
            }
            #expect(try fixture.folder.names().allSatisfy { !$0.hasPrefix(".tmp") })
            #expect(try fixture.folder.names().count == 4)
        }
    }
}
