import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cleanup", .timeLimit(.minutes(1)))
struct CleanupTests {
    @Test("a cleanup is due the first time, after the interval, and if the clock was set back (B33)")
    func schedule() {
        let daily = CleanupSchedule()
        #expect(daily.wait(last: nil, now: 1_000_000) == .zero)
        #expect(daily.wait(last: 1_000_000, now: 1_000_400) == .seconds(86_000))
        #expect(daily.wait(last: 1_000_000, now: 1_086_400) == .zero)
        #expect(daily.wait(last: 2_000_000, now: 1_000_000) == .zero)
        var never = CleanupSchedule()
        never.interval = nil
        #expect(never.wait(last: nil, now: 1) == nil)
    }

    @Test("a cleanup removes expired entries once, and an early restart skips it (B33, S132)")
    func once() async throws {
        try await withFixture { folder, cache, cleanup in
            try await store("old", in: cache, used: 3_000_000)
            try await store("young", in: cache, used: 10)
            _ = await cleanup.cleanIfDue()
            #expect(await !cache.contains("old"))
            #expect(await cache.contains("young"))

            try await store("old", in: cache, used: 3_000_000)
            let restarted = DiskCleanup(CleanupSchedule(), of: [DiskCache(folder: folder.path)])
            let wait = await restarted.cleanIfDue()
            #expect(try Folder(path: folder.path, creating: false).facts(of: CacheKey("old").fileName) != nil)
            #expect(try #require(wait) > .seconds(86_000))
        }
    }

    @Test("a cleanup at exit runs on the thread that ends the process (X069)")
    func atExit() async throws {
        try await withFixture { _, cache, cleanup in
            try await store("old", in: cache, used: 3_000_000)
            cleanup.cleanAtExit()
            #expect(await !cache.contains("old"))
        }
    }

    @Test("a cleanup runs again after the interval, and ends with its cache")
    func timer() async throws {
        try await TemporaryFolder.with { folder in
            let clock = ManualClock()
            let cache = DiskCache(folder: folder.path)
            try await store("young", in: cache, used: 10)
            var cleanup: DiskCleanup? = DiskCleanup(CleanupSchedule(), of: [cache], clock: clock)
            weak let weakCleanup = cleanup
            cleanup?.start()
            await clock.waitForSleepers()
            try await store("old", in: cache, used: 3_000_000)
            try Folder(path: folder.path, creating: false).remove(".cleaned")
            clock.advance(by: .seconds(1 * 86_400))
            await clock.waitForSleepers()
            #expect(await !cache.contains("old"))
            cleanup = nil
            #expect(weakCleanup == nil)
            try await until { clock.sleeperCount == 0 }
        }
    }

    @Test("entering the background halves the memory cache and runs a cleanup that is due (B14, X095)")
    func background() async throws {
        try await TemporaryFolder.with { folder in
            let cache = ImageCache(folder: folder.path)
            let disk = try #require(cache.disk)
            try await store("old", in: disk, used: 3_000_000)
            for number in 0..<10 { cache.store(try TestImage.gradient(16, 16).image(), for: CacheKey("\(number)")) }
            await cache.enterBackground()
            #expect(cache.memory.count <= 5)
            #expect(await !disk.contains("old"))
        }
    }

    private func withFixture(_ body: (TemporaryFolder, DiskCache, DiskCleanup) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let cache = DiskCache(folder: folder.path)
            try await body(folder, cache, DiskCleanup(CleanupSchedule(), of: [cache]))
        }
    }

    private func store(_ key: CacheKey, in cache: DiskCache, used seconds: Double) async throws {
        try await cache.store(Data([1]), for: key)
        await cache.settle()
        try Folder(path: cache.folder, creating: false)
            .touch(key.fileName, accessed: Date().timeIntervalSince1970 - seconds)
    }
}
