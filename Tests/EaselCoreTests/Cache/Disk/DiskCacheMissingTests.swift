import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: missing entries")
struct DiskCacheMissingTests {
    @Test("a missing entry is a miss for every call, also without a folder", arguments: Call.allCases)
    func missed(call: Call) async throws {
        try await DiskCacheFixture.with { fixture in
            #expect(try await call.isMiss("b", in: DiskCache(folder: fixture.folder["none"])))
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await call.isMiss("b", in: fixture.cache))
            #expect(try await !call.isMiss("a", in: fixture.cache))
        }
    }

    @Test("an entry is found directly after a store, by this cache or another over the same folder")
    func missThenHit() async throws {
        try await DiskCacheFixture.with { fixture in
            for (key, cache) in [("a", fixture.cache), ("b", fixture.another())] as [(CacheKey, DiskCache)] {
                for call in Call.allCases { #expect(try await call.isMiss(key, in: fixture.cache)) }
                try await cache.store(Data([2]), for: key)
                for call in Call.allCases { #expect(try await !call.isMiss(key, in: fixture.cache)) }
            }
        }
    }

    @Test("an entry is found directly after another program writes it, under either name")
    func foreign() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await fixture.cache.data(for: key) == nil)
            try fixture.folder.write([7], to: key.bareFileName)
            #expect(try await fixture.cache.data(for: key) == Data([7]))
            try fixture.folder.write([8], to: key.fileName)
            #expect(try await fixture.cache.data(for: key) == Data([8]))
        }
    }

    @Test("in a folder that was removed and created again, only new entries are found")
    func recreatedFolder() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await fixture.cache.data(for: "b") == nil)
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            try await fixture.cache.store(Data([2]), for: "b")
            #expect(try await fixture.cache.data(for: "b") == Data([2]))
            #expect(try await fixture.cache.data(for: "a") == nil)
        }
    }

    @Test("an entry is found once it is in a read-only folder or at the additional path", arguments: [true, false])
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
                try await other.cache.store(Data([2]), for: "b")
                #expect(try await fixture.cache.data(for: "b") == Data([2]))
            }
        }
    }

    @Test("a decoded image is found directly after another store writes it")
    func undecodable() async throws {
        try await DecodedFixture.with { fixture async throws in
            #expect(try await fixture.store.store(DecodedFixture.image(), for: "a"))
            #expect(await fixture.store.image(for: "b") == nil)
            let other = fixture.store(on: DecodedFixture.thisMachine)
            #expect(try await other.store(DecodedFixture.image(), for: "b"))
            #expect(await fixture.store.image(for: "b") != nil)
        }
    }
}

/// A call that reads an entry.
enum Call: CaseIterable {
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
