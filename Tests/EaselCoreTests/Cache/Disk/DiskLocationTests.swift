import Synchronization
import Testing

@testable import EaselCore

import EaselFoundation
import EaselTesting
import TestSupport

@Suite("Disk cache: location of the folder")
struct DiskLocationTests {
    @Test("readers notice a moved folder after a second, without a system call before")
    func readers() async throws {
        try await withLocation { location, outer, clock in
            let first = try location.open(creating: true)
            #expect(first.isAnother)
            try FileManager.default.moveItem(atPath: outer["cache"], toPath: outer["elsewhere"])
            clock.set(.milliseconds(999))
            #expect(location.opened()?.folder === first.entries.folder)
            let second = try location.open(creating: false)
            #expect(second.entries.folder === first.entries.folder)
            clock.set(.seconds(1))
            #expect(location.opened() == nil)
            let error = failure(&location)
            #expect(error?.isMissing == true)
            #expect(!outer.exists("cache"))
        }
    }

    @Test("writers notice a moved folder at once and create it again")
    func writers() async throws {
        try await withLocation { location, outer, _ in
            let first = try location.open(creating: true)
            let again = try location.open(creating: true)
            #expect(!again.isAnother)
            try FileManager.default.moveItem(atPath: outer["cache"], toPath: outer["elsewhere"])
            let second = try location.open(creating: true)
            #expect(second.isAnother)
            #expect(second.entries.folder !== first.entries.folder)
            #expect(outer.exists("cache"))
            #expect(location.opened()?.folder === second.entries.folder)
        }
    }

    @Test("an unchanged folder is checked once a second and stays open")
    func inPlace() async throws {
        try await withLocation { location, _, clock in
            let first = try location.open(creating: true)
            for second in 1...5 {
                clock.set(.seconds(second))
                #expect(location.opened() == nil)
                let again = try location.open(creating: false)
                #expect(again.entries.folder === first.entries.folder)
                #expect(!again.isAnother)
                #expect(location.opened() != nil)
            }
        }
    }

    @Test("the folder is not opened before the first call, and a read does not create it")
    func lazy() async throws {
        try await withLocation { location, outer, _ in
            #expect(location.opened() == nil)
            let error = failure(&location)
            #expect(error?.isMissing == true)
            let names = try outer.names()
            #expect(names.isEmpty)
        }
    }

    @Test("migration runs once, before the folder is first opened (X077)")
    func migration() async throws {
        try await TemporaryFolder.with { outer in
            let migrated = Recorder<String>()
            var configuration = DiskCache.Configuration()
            configuration.migrate = { folder in
                migrated.record(folder)
                // The first read finds this file.
                try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try? Data([5]).write(to: URL(fileURLWithPath: folder + "/" + CacheKey("a").fileName))
            }
            let cache = DiskCache(folder: outer["cache"], configuration: configuration)
            #expect(cache.residentFile(for: "a") == nil)
            #expect(migrated.events.isEmpty)
            #expect(try await cache.data(for: "a") == Data([5]))
            try await cache.store(Data([1]), for: "b")
            _ = await cache.statistics()
            try FileManager.default.removeItem(atPath: outer["cache"])
            try await cache.store(Data([1]), for: "b")
            #expect(migrated.events == [outer["cache"]])
        }
    }

    /// Calls `body` with a location in a temporary folder and its clock.
    private func withLocation(
        _ body: (inout DiskLocation, TemporaryFolder, SetClock) throws -> Void
    ) async throws {
        try await TemporaryFolder.with { outer in
            let clock = SetClock()
            var location = DiskLocation(path: outer["cache"], settings: DiskCache.Configuration())
            location.now = { clock.now }
            try body(&location, outer, clock)
        }
    }

    private func failure(_ location: inout DiskLocation) -> SystemError? {
        do throws(SystemError) {
            _ = try location.open(creating: false)
            return nil
        } catch {
            return error
        }
    }

    private final class SetClock: Sendable {
        private let start = ContinuousClock.now
        private let elapsed = Mutex(Duration.zero)
        var now: ContinuousClock.Instant { start + elapsed.withLock { $0 } }
        func set(_ duration: Duration) { elapsed.withLock { $0 = duration } }
    }
}
