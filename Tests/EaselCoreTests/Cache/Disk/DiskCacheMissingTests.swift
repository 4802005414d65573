import Testing

@testable import EaselCore

import EaselFoundation

// Only where the system tells the names that come into a folder.
@Suite("Disk cache: an entry that is known to be missing", .enabled { await areNamesTold() })
struct DiskCacheMissingTests {
    @Test("is not before somebody has missed it")
    func unasked() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            await fixture.cache.settle()
            #expect(!fixture.cache.isKnownMissing("b"))
        }
    }

    @Test("is after another was missed, whatever was asked", arguments: Question.allCases)
    func missed(question: Question) async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            let isKnown = try await isKnown("b", in: fixture.cache) { cache async throws in
                #expect(try await question.isMiss("missed", in: cache))
            }
            #expect(isKnown)
            #expect(!fixture.cache.isKnownMissing("a"))
            for question in Question.allCases { #expect(try await question.isMiss("b", in: fixture.cache)) }
        }
    }

    @Test("is had as soon as it is stored, and as another cache stores it in the same folder")
    func stored() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            for (key, cache) in [("b", fixture.cache), ("c", fixture.another())] as [(CacheKey, DiskCache)] {
                #expect(try await isKnown(key, in: fixture.cache))
                try await cache.store(Data([2]), for: key)
                #expect(!fixture.cache.isKnownMissing(key))
                for question in Question.allCases { #expect(try await !question.isMiss(key, in: fixture.cache)) }
            }
        }
    }

    @Test("is had as soon as another program puts it there, under either of its names")
    func foreign() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await isKnown(key, in: fixture.cache))
            try fixture.folder.write([7], to: key.bareFileName)
            #expect(try await fixture.cache.data(for: key) == Data([7]))
            try fixture.folder.write([8], to: key.fileName)
            #expect(try await fixture.cache.data(for: key) == Data([8]))
        }
    }

    @Test("one that was removed is asked for once more, and is a miss")
    func removed() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await isKnown("b", in: fixture.cache))
            try await fixture.cache.remove("a")
            #expect(!fixture.cache.isKnownMissing("a"))
            #expect(try await fixture.cache.data(for: "a") == nil)
        }
    }

    @Test("in a folder that was removed and made anew it is had as soon as it is stored, and known anew otherwise")
    func folderAnew() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await isKnown("b", in: fixture.cache))
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            try await fixture.cache.store(Data([2]), for: "b")
            #expect(try await fixture.cache.data(for: "b") == Data([2]))
            #expect(try await isKnown("a", in: fixture.cache))
        }
    }

    @Test("is also where age is counted from when an entry was stored, and what is too old is a miss all the same")
    func expiration() async throws {
        try await DiskCacheFixture.with {
            $0.expiration = .creation
            $0.maximumAge = .seconds(1_000)
        } _: { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            await fixture.cache.settle()
            #expect(try await isKnown("b", in: fixture.cache))
            try fixture.setAges("a", created: 2_000)
            #expect(!fixture.cache.isKnownMissing("a"))
            #expect(try await fixture.cache.data(for: "a") == nil)
        }
    }

    @Test("is not where it may be elsewhere", arguments: [true, false])
    func elsewhere(isFolder: Bool) async throws {
        try await DiskCacheFixture.with { other in
            try await DiskCacheFixture.with {
                if isFolder {
                    $0.readOnlyFolders = [other.folder.path]
                } else {
                    $0.additionalPath = { other.folder[$0.fileName] }
                }
            } _: { fixture in
                try await fixture.cache.store(Data([1]), for: "a")
                #expect(try await fixture.cache.data(for: "b") == nil)
                await fixture.cache.settle()
                #expect(!fixture.cache.isKnownMissing("b"))
                try await other.cache.store(Data([2]), for: "b")
                #expect(try await fixture.cache.data(for: "b") == Data([2]))
            }
        }
    }

    @Test("a decoded picture is too, and is had as soon as another store keeps it")
    func decoded() async throws {
        try await DecodedFixture.with { fixture in
            #expect(try await fixture.store.store(DecodedFixture.picture(), for: "a"))
            let isKnown = try await isKnown("b", in: fixture.store.files) { _ in
                #expect(await fixture.store.picture(for: "b") == nil)
            }
            #expect(isKnown)
            let other = fixture.store(on: DecodedFixture.here)
            #expect(try await other.store(DecodedFixture.picture(), for: "b"))
            #expect(await fixture.store.picture(for: "b") != nil)
        }
    }
}

@Suite("Disk cache: where each name has to be asked for")
struct DiskCacheAskingTests {
    @Test("nothing is known to be missing, and a miss is one")
    func missed() async throws {
        try await with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            for question in Question.allCases { #expect(try await question.isMiss("b", in: fixture.cache)) }
            await fixture.cache.settle()
            #expect(!fixture.cache.isKnownMissing("b"))
            for question in Question.allCases { #expect(try await question.isMiss("b", in: fixture.cache)) }
        }
    }

    @Test("what is stored, there or by another cache, is had at once")
    func stored() async throws {
        try await with { fixture in
            for (key, cache) in [("a", fixture.cache), ("b", fixture.another())] as [(CacheKey, DiskCache)] {
                for question in Question.allCases { #expect(try await question.isMiss(key, in: fixture.cache)) }
                try await cache.store(Data([1]), for: key)
                for question in Question.allCases { #expect(try await !question.isMiss(key, in: fixture.cache)) }
            }
        }
    }

    private func with(_ body: (DiskCacheFixture) async throws -> Void) async throws {
        try await DiskCacheFixture.with({ $0.asksForEachName = true }, body)
    }
}

// Only where the system tells what it has in memory.
@Suite("Disk cache: a folder that is known to be missing", .enabled { await isAbsenceTold() })
struct DiskCacheMissingFolderTests {
    @Test("has no entry, once somebody has looked")
    func missing() async throws {
        try await TemporaryFolder.with { outer async throws in
            let cache = DiskCache(folder: outer["cache"])
            #expect(!cache.isKnownMissing("a"))
            #expect(try await isKnown("a", in: cache))
            for question in Question.allCases { #expect(try await question.isMiss("a", in: cache)) }
        }
    }

    @Test("is another's to make: what is stored there is had at once")
    func made() async throws {
        try await TemporaryFolder.with { outer in
            let cache = DiskCache(folder: outer["cache"])
            #expect(try await isKnown("a", in: cache))
            try await DiskCache(folder: outer["cache"]).store(Data([1]), for: "a")
            #expect(!cache.isKnownMissing("a"))
            #expect(try await cache.data(for: "a") == Data([1]))
        }
    }
}

/// What a cache may be asked of an entry.
enum Question: CaseIterable {
    case data, metadata, contains, path

    func isMiss(_ key: CacheKey, in cache: DiskCache) async throws -> Bool {
        switch self {
        case .data: try await cache.data(for: key) == nil
        case .metadata: try await cache.metadata(for: key) == nil
        case .contains: await !cache.contains(key)
        case .path: await cache.path(for: key) == nil
        }
    }
}

/// Whether an entry is known to be missing after somebody has missed one; the folder counts as looked at for a second alone.
private func isKnown(
    _ key: CacheKey, in cache: DiskCache, after miss: ((DiskCache) async throws -> Void)? = nil
) async throws -> Bool {
    for _ in 0..<20 {
        if let miss { try await miss(cache) } else { _ = try await cache.data(for: key) }
        await cache.settle()
        if cache.isKnownMissing(key) { return true }
    }
    return false
}

private func isAbsenceTold() async -> Bool {
    let isTold = try? await TemporaryFolder.with { outer in
        (0..<20).contains { _ in
            _ = try? Folder(path: outer["none"], creating: false)
            return Folder.isKnownMissing(outer["none"])
        }
    }
    return isTold == true
}
