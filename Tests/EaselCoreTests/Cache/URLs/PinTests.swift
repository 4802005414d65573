import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Image cache: pins")
struct PinTests {
    private typealias Fixture = CachedURLFixture

    private static let key = Fixture.request().originalKey
    private static let bytes = Data(repeating: 7, count: 1_000)

    /// Stores more than the limit allows under other keys.
    private func fill(_ cache: ImageCache) async throws {
        for number in 0..<10 { try await cache.store(Self.bytes, for: CacheKey("\(number)")) }
        await cache.settle()
    }

    @Test("a trim keeps pinned files, and removes them after unpin")
    func trim() async throws {
        try await Fixture.with({ $0.disk.maximumBytes = 3_000 }) { fixture in
            try await fixture.cache.store(Self.bytes, for: Self.key)
            try await fixture.cache.pin(Fixture.url)
            try await fill(fixture.cache)
            #expect(await fixture.cache.contains(Self.key, in: .disk) == .disk)
            try await fixture.cache.unpin(Fixture.url)
            try await fill(fixture.cache)
            #expect(await fixture.cache.contains(Self.key, in: .disk) == [])
        }
    }

    @Test("a pin is set before its file is stored, and lasts in another process")
    func restart() async throws {
        try await Fixture.with { fixture in
            try await fixture.cache.pin(Fixture.url)
            let second = fixture.another { $0.disk.maximumBytes = 3_000 }
            try await second.store(Self.bytes, for: Self.key)
            try await fill(second)
            #expect(await second.contains(Self.key, in: .disk) == .disk)
            #expect(try await second.pinnedURLs() == [Fixture.url])
        }
    }

    @Test("a pinned file does not expire")
    func expiry() async throws {
        try await Fixture.with({ $0.disk.maximumAge = .seconds(60) }) { fixture in
            // A cleanup may run at any time after the first store.
            try await fixture.cache.pin(Fixture.url)
            for key in [Self.key, Fixture.request(Fixture.other).originalKey] {
                try await fixture.cache.store(Self.bytes, for: key)
                await fixture.cache.settle()
                try Folder(path: fixture.folder.path, creating: false)
                    .touch(key.fileName, accessed: Date().timeIntervalSince1970 - 3600)
            }
            #expect(try await fixture.cache.data(for: Self.key) == Self.bytes)
            await fixture.cache.trimDisk()
            #expect(await fixture.cache.contains(Self.key, in: .disk) == .disk)
            #expect(await fixture.cache.contains(Fixture.request(Fixture.other).originalKey, in: .disk) == [])
        }
    }

    @Test("pinned bytes are counted, and do not count towards the limit of others")
    func counted() async throws {
        try await Fixture.with({ $0.disk.maximumBytes = 3_000 }) { fixture in
            try await fixture.cache.pin(Fixture.url)
            try await fixture.cache.store(Self.bytes, for: Self.key)
            for number in 0..<3 { try await fixture.cache.store(Self.bytes, for: CacheKey("\(number)")) }
            await fixture.cache.settle()
            let statistics = await fixture.cache.statistics().disk
            #expect(statistics.pinnedBytes == 1_000 && statistics.bytes == 4_000 && statistics.entries == 4)
            #expect(fixture.cache.disk?.usage == statistics)
        }
    }

    @Test("the counter follows pins, stores and removals")
    func usage() async throws {
        try await Fixture.with { fixture in
            let disk = try #require(fixture.cache.disk)
            try await disk.store(Self.bytes, for: Self.key)
            await disk.settle()
            try await fixture.cache.pin(Fixture.url)
            #expect(disk.usage.pinnedBytes == 1_000)
            try await disk.store(Self.bytes.prefix(400), for: Self.key)
            #expect(disk.usage.pinnedBytes == 400)
            try await fixture.cache.unpin(Fixture.url)
            #expect(disk.usage.pinnedBytes == 0)
            try await fixture.cache.pin(Fixture.url)
            try await disk.remove(Self.key)
            #expect(disk.usage.pinnedBytes == 0)
        }
    }

    @Test("a pin that is set during a count is counted")
    func duringCount() async throws {
        try await Fixture.with { fixture in
            let disk = try #require(fixture.cache.disk)
            try await disk.store(Self.bytes, for: Self.key)
            await disk.settle()
            let entries = try disk.open(creating: false)
            let list = try #require(disk.scan(entries))
            try await fixture.cache.pin(Fixture.url)
            disk.endScan(list, of: entries)
            #expect(disk.usage.pinnedBytes == 1_000)
        }
    }

    @Test("a pin beyond the limit throws, and leaves the URL unpinned")
    func bounded() async throws {
        try await Fixture.with({ $0.disk.maximumPinnedBytes = 1_500 }) { fixture in
            let other = Fixture.request(Fixture.other).originalKey
            for key in [Self.key, other] { try await fixture.cache.store(Self.bytes, for: key) }
            try await fixture.cache.pin(Fixture.url)
            await #expect(throws: ImageError.self) { try await fixture.cache.pin(Fixture.other) }
            #expect(try await fixture.cache.pinnedURLs() == [Fixture.url])
        }
    }

    @Test("if files that are stored later exceed the limit of pins, they are removed like others")
    func overBound() async throws {
        try await Fixture.with({
            $0.disk.maximumPinnedBytes = 1_500
            $0.disk.maximumBytes = 3_000
        }) { fixture in
            for url in [Fixture.url, Fixture.other] { try await fixture.cache.pin(url) }
            let marks = fixture.folder[CacheMark.pin.folder] + "/"
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: marks + Self.key.digest.text)
            for url in [Fixture.other, Fixture.url] {
                try await fixture.cache.store(Self.bytes, for: Fixture.request(url).originalKey)
            }
            try await fill(fixture.cache)
            #expect(await fixture.cache.contains(Self.key, in: .disk) == .disk)
            #expect(await fixture.cache.contains(Fixture.request(Fixture.other).originalKey, in: .disk) == [])
        }
    }

    @Test("a request with isPinned pins its URL")
    func request() async throws {
        try await Fixture.with { fixture in
            try await fixture.load { $0.cache.isPinned = true }
            #expect(try await fixture.cache.pinnedURLs() == [Fixture.url])
            #expect(fixture.cache.disk?.usage.pinnedBytes ?? 0 > 0)
        }
    }

    @Test("removing everything, or everything cached for the URL, removes its pin")
    func removal() async throws {
        try await Fixture.with { fixture in
            for url in [Fixture.url, Fixture.other] {
                try await fixture.load(url)
                try await fixture.cache.pin(url)
            }
            try await fixture.cache.removeAll(of: Fixture.url)
            #expect(try await fixture.cache.pinnedURLs() == [Fixture.other])
            try await fixture.cache.removeAll()
            #expect(try await fixture.cache.pinnedURLs() == [])
            #expect(await fixture.cache.statistics().disk == DiskCache.Statistics())
            #expect(fixture.cache.disk?.usage.pinnedBytes == 0)
        }
    }

    @Test("a listing has the URLs of loaded files, their bytes and their pins")
    func listing() async throws {
        try await Fixture.with { fixture in
            try await fixture.load()
            try await fixture.cache.pin(Fixture.other)
            let list = try await fixture.cache.disk?.list() ?? []
            #expect(list.compactMap(\.url) == [Fixture.url, Fixture.other].map(\.absoluteString))
            #expect(list.map(\.bytes) == [TestCoder.file().count, 0])
            #expect(list.map(\.isPinned) == [false, true])
        }
    }
}
