import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: keys")
struct DiskCacheKeysTests {
    @Test("unusual keys are stored and read, and no file is outside the folder (B29)")
    func oddKeys() async throws {
        try await TemporaryFolder.with { outer in
            let cache = DiskCache(folder: outer["cache"])
            for (number, text) in CacheKeyTests.unusualTexts.enumerated() {
                try await cache.store(Data([UInt8(number)]), for: CacheKey(text))
            }
            for (number, text) in CacheKeyTests.unusualTexts.enumerated() {
                #expect(try await cache.data(for: CacheKey(text)) == Data([UInt8(number)]), "\(text)")
            }
            #expect(try outer.names() == ["cache"])
            #expect(await cache.statistics().entries == CacheKeyTests.unusualTexts.count)
        }
    }

    @Test("keys that look equal but differ in a byte are different entries (B29)")
    func similarKeys() async throws {
        // Composed and decomposed accents, names of 255 bytes, and NUL inside a key.
        let long = String(repeating: "k", count: 254)
        let texts = ["caf\u{E9}", "cafe\u{301}", "a", "a\0", "a\0b", "a\0c", long + "a", long + "b", "A", "", "\0"]
        try await DiskCacheFixture.with { fixture in
            for (number, text) in texts.enumerated() {
                try await fixture.cache.store(Data([UInt8(number)]), for: CacheKey(text))
            }
            for (number, text) in texts.enumerated() {
                #expect(try await fixture.cache.data(for: CacheKey(text)) == Data([UInt8(number)]), "\(number)")
            }
            #expect(try fixture.folder.names().count == texts.count)
        }
    }

    @Test("an extension that fills a file name to its last byte is stored and read")
    func longestName() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("a", fileExtension: String(repeating: "e", count: 222))
            try await fixture.cache.store(Data([1]), for: key)
            #expect(try fixture.folder.names() == [key.fileName])
            #expect(try await fixture.cache.data(for: key) == Data([1]))
        }
    }

    @Test("the path of an entry is that of its file, under either name, or nil")
    func path() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            #expect(await fixture.cache.path(for: key) == nil)
            try fixture.folder.write([9], to: key.bareFileName)
            #expect(await fixture.cache.path(for: key) == fixture.folder[key.bareFileName])
            try await fixture.cache.store(Data([1]), for: key)
            #expect(await fixture.cache.path(for: key) == fixture.folder[key.fileName])
            try await fixture.cache.remove(key)
            #expect(await fixture.cache.path(for: key) == nil)
        }
    }

    @Test("the file name of an entry is the MD5 of the key with the extension (S121)")
    func names() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            try await fixture.cache.store(Data([1]), for: "https://images.test/a.png")
            #expect(
                try fixture.folder.names() == [
                    "0cc175b9c0f1b6a831c399e269772661", "d414f4d5ce5b7ba25e1fc3309ce75d91.png",
                ])
        }
    }

    @Test("a file without extension, as in older layouts, is found (S123)")
    func bareName() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try fixture.folder.write([9], to: key.bareFileName)
            #expect(await fixture.cache.contains(key))
            #expect(try await fixture.cache.data(for: key) == Data([9]))
        }
    }

    @Test("the name with extension is preferred (S123)")
    func newNameFirst() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try fixture.folder.write([9], to: key.bareFileName)
            try await fixture.cache.store(Data([1]), for: key)
            #expect(try await fixture.cache.data(for: key) == Data([1]))
        }
    }

    @Test("remove deletes the files of both names (X103 is not copied)")
    func removeBoth() async throws {
        try await DiskCacheFixture.with { fixture in
            let key = CacheKey("https://images.test/a.png")
            try fixture.folder.write([9], to: key.bareFileName)
            try await fixture.cache.store(Data([1]), for: key)
            try await fixture.cache.remove(key)
            #expect(try await fixture.cache.data(for: key) == nil)
            #expect(try fixture.folder.names().isEmpty)
        }
    }

    @Test("a name without extension is read only for the key with its digest")
    func otherDigest() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([9], to: CacheKey("https://images.test/b.png").bareFileName)
            #expect(try await fixture.cache.data(for: "https://images.test/a.png") == nil)
        }
    }
}
