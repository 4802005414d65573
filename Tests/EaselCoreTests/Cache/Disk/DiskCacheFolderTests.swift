import Testing

@testable import EaselCore

import Foundation

@Suite("Disk cache: a folder that other programs change")
struct DiskCacheFolderTests {
    @Test("a removed folder has no entries, and the next store creates it (B30)")
    func removed() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(await fixture.cache.statistics() == .init(entries: 0, bytes: 0))
            try await fixture.cache.store(Data([2]), for: "b")
            #expect(try await fixture.cache.data(for: "b") == Data([2]))
            #expect(try fixture.folder.names() == [CacheKey("b").fileName])
        }
    }

    @Test("after its folder was moved, the cache stores at the original path")
    func moved() async throws {
        try await TemporaryFolder.with { outer in
            let cache = DiskCache(folder: outer["cache"])
            try await cache.store(Data([1]), for: "a")
            try FileManager.default.moveItem(atPath: outer["cache"], toPath: outer["elsewhere"])
            try await cache.store(Data([2]), for: "b")
            #expect(outer.exists("cache/\(CacheKey("b").fileName)"))
            #expect(!outer.exists("elsewhere/\(CacheKey("b").fileName)"))
            #expect(await !cache.contains("a"))
        }
    }

    @Test("the size of a removed folder no longer counts")
    func sizeForgotten() async throws {
        try await DiskCacheFixture.with(maximumBytes: 1_000) { fixture in
            try await fixture.store("a", length: 900, used: 0)
            try FileManager.default.removeItem(atPath: fixture.folder.path)
            for (number, key) in ["b", "c", "d"].enumerated() {
                try await fixture.store(CacheKey(key), length: 300, used: Double(10 - number))
            }
            #expect(await fixture.present(["b", "c", "d"]) == ["b", "c", "d"])
        }
    }

    @Test("a file that another program removed is a miss and no longer counted (B31)")
    func fileRemoved() async throws {
        try await DiskCacheFixture.with { fixture in
            for key in ["a", "b"] { try await fixture.cache.store(Data([1, 2]), for: CacheKey(key)) }
            try fixture.folder.remove(CacheKey("a").fileName)
            #expect(try await fixture.cache.data(for: "a") == nil)
            try await fixture.cache.remove("a")
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: 2))
        }
    }

    // The superuser can read every file.
    @Test("an entry without read permission is an error, not a miss (B32)", .enabled(if: permissionsApply))
    func unreadable() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data([1]), for: "a")
            let path = fixture.folder[CacheKey("a").fileName]
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
            await #expect {
                try await fixture.cache.data(for: "a")
            } throws: { error in
                guard let error = error as? ImageError else { return false }
                return error.code == .unreadable && error.message.hasPrefix("\(path) ")
                    && (error.underlyingError as? POSIXError)?.code == .EACCES
            }
        }
    }

    @Test("a link with the name of an entry is a miss and not followed; a store replaces the link only (B32)")
    func link() async throws {
        try await DiskCacheFixture.with { fixture in
            try fixture.folder.write([1, 2, 3], to: "secret")
            let name = CacheKey("a").fileName
            try fixture.folder.makeLink(name, to: fixture.folder["secret"])
            try fixture.folder.makeLink(CacheKey("b").fileName, to: "nowhere")
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try await fixture.cache.data(for: "b") == nil)
            #expect(await fixture.present(["a", "b"]).isEmpty)
            try await fixture.cache.store(Data([9]), for: "a")
            #expect(try await fixture.cache.data(for: "a") == Data([9]))
            #expect(try fixture.folder.bytes(of: "secret") == [1, 2, 3])
        }
    }

    @Test("a store over a folder with the name of an entry is an error, and removeAll skips the folder")
    func folderInPlace() async throws {
        try await DiskCacheFixture.with { fixture in
            let name = CacheKey("a").fileName
            try fixture.folder.makeFolder(name)
            await #expect(throws: ImageError.self) { try await fixture.cache.store(Data([1]), for: "a") }
            #expect(try await fixture.cache.data(for: "a") == nil)
            #expect(try fixture.folder.names() == [name])
            try await fixture.cache.store(Data([1]), for: "b")
            #expect(await fixture.cache.statistics() == .init(entries: 1, bytes: 1))
            try await fixture.cache.removeAll()
            #expect(try fixture.folder.names() == [name])
        }
    }

    @Test("below a regular file a store is an error that names the folder, and there are no entries")
    func unwritable() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write([1], to: "file")
            try await expectUnwritable(folder["file/cache"])
            #expect(try folder.bytes(of: "file") == [1])
        }
    }

    // Only on systems with such a folder.
    @Test(
        "in a folder where the system permits no writes, a store is an error that names the folder",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self")))
    func systemFolder() async throws {
        try await expectUnwritable("/proc/easel")
        try await expectUnwritable("/proc/self")
    }

    private func expectUnwritable(_ path: String) async throws {
        let cache = DiskCache(folder: path)
        await #expect {
            try await cache.store(Data([1]), for: "a")
        } throws: { error in
            guard let error = error as? ImageError else { return false }
            return error.code == .unwritable && error.message.hasPrefix(path)
        }
        #expect(try await cache.data(for: "a") == nil)
        #expect(await !cache.contains("a"))
        #expect(await cache.statistics() == .init(entries: 0, bytes: 0))
        #expect(await cache.verify() == .init(entries: 0, torn: 0, removed: 0, bytes: 0))
        try await cache.remove("a")
    }
}
