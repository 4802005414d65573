import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: the tag that excludes it from backups")
struct CacheTagTests {
    @Test("the tag is written with the folder, with the signature of bford.info/cachedir (X068)")
    func signature() async throws {
        try await TemporaryFolder.with { outer in
            try await DiskCache(folder: outer["cache"]).store(Data([1]), for: "a")
            let text = String(decoding: try outer.bytes(of: "cache/CACHEDIR.TAG"), as: UTF8.self)
            #expect(text.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        }
    }

    @Test("the tag is written with the first store into an existing folder")
    func readBefore() async throws {
        try await DiskCacheFixture.with { fixture in
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(!fixture.folder.exists("CACHEDIR.TAG"))
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(fixture.folder.exists("CACHEDIR.TAG"))
        }
    }

    @Test("the tag is neither counted nor removed")
    func uncounted() async throws {
        try await DiskCacheFixture.with(maximumBytes: 10, maximumAge: .seconds(0)) { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: 1))
            await fixture.cache.trim()
            try await fixture.cache.removeAll()
            #expect(fixture.folder.exists("CACHEDIR.TAG"))
        }
    }

    @Test("an existing tag stays unchanged")
    func existing() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2], to: "CACHEDIR.TAG")
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try fixture.folder.bytes(of: "CACHEDIR.TAG") == [1, 2])
        }
    }

    @Test("no tag is written into a folder that is only read")
    func reading() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1], to: CacheKey("a").fileName)
            #expect(try await fixture.cache.data(for: "a") == Data([1]))
            #expect(!fixture.folder.exists("CACHEDIR.TAG"))
        }
    }

    @Test("a tag without room leaves no partial file, and is written at the next opening", .withSmallFileSystem)
    func fullDisk() async throws {
        try await SmallFileSystem.bytes(1 << 20).with { folder in
            try folder.fillDisk("others")
            let cache = DiskCache(folder: folder.path)
            await #expect(throws: ImageError.self) { try await cache.store(Data([1]), for: "a") }
            #expect(!folder.exists("CACHEDIR.TAG"))
            try folder.remove("others")
            try await DiskCache(folder: folder.path).store(Data([1]), for: "a")
            #expect(try folder.bytes(of: "CACHEDIR.TAG").starts(with: Array("Signature: 8a477f".utf8)))
        }
    }
}
