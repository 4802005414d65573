import Foundation
import Testing

@testable import EaselCore
@testable import cache_writer

@Suite("Disk cache: several processes over one folder", .withWriter, .serialized, .timeLimit(.minutes(5)))
struct DiskCacheProcessesTests {
    private static let limit = 600_000

    @Test("concurrent processes read no wrong entry, and the limit holds (B50)", arguments: [2, 8])
    func together(count: Int) async throws {
        try await DiskCacheFixture.with(maximumBytes: Self.limit) { fixture in
            let duration = Soak.milliseconds(2_000 / count, long: 60_000)
            let writers = try (0..<count).map { seed in
                try WriterProcess(fixture.folder.path, limit: Self.limit, "mix \(seed) \(duration)")
            }
            for writer in writers { try expectSuccess(await writer.end()) }
            // Between two counts each process may write a megabyte unknown to the others. There are 48 entries.
            let observer = fixture.another()
            let statistics = await observer.statistics()
            #expect(statistics.bytes <= Self.limit + (count - 1) * 1_000_000)
            #expect(statistics.entries > 0)
            #expect(await observer.verify().torn == 0)
            await fixture.cache.trim()
            #expect(await observer.statistics().bytes <= Self.limit)
            let usage = fixture.cache.usage
            #expect(await observer.statistics() == .init(entries: usage.entries, bytes: usage.bytes))
            #expect(try fixture.folder.names().allSatisfy { !$0.hasPrefix(".tmp-") })
        }
    }

    @Test("an entry stored by another process is found at once, even after a miss")
    func storeByAnotherProcess() async throws {
        try await DiskCacheFixture.with { fixture in
            let entry = SeededEntry(number: 1, version: 1)
            try await fixture.cache.store(Data([1]), for: "a")
            #expect(try await fixture.cache.data(for: entry.key) == nil)
            await fixture.cache.settle()
            #expect(try await WriterProcess.run(fixture.folder.path, "store 1 1") == ["stored"])
            #expect(try await fixture.cache.data(for: entry.key) == entry.data)
        }
    }

    @Test("no store fails while the folder is removed and moved (B30, S120, X104)")
    func folderGone() async throws {
        try await TemporaryFolder.with { outer in
            let duration = Soak.milliseconds(600, long: 20_000)
            let writers = try (0..<2).map { seed in
                try WriterProcess(outer["cache"], limit: Self.limit, "mix \(seed) \(duration)")
            }
            // In a separate thread, because the loop never suspends.
            let remover = WorkerPool(name: "test-remover", threadCount: 1)
            let times = await remover.run {
                var (tries, times) = (0, 0)
                while !writers.allSatisfy(\.hasEnded) {
                    // The folder may not exist yet, or get new files during the removal.
                    tries += 1
                    if (try? tries % 2 == 0 ? outer.remove("cache") : outer.move("cache", to: "elsewhere \(tries)"))
                        != nil
                    {
                        times += 1
                    }
                }
                return times
            }
            for writer in writers { try expectSuccess(await writer.end()) }
            #expect(times >= 2)
            let cache = DiskCache(folder: outer["cache"])
            #expect(await cache.verify().torn == 0)
            try await cache.store(Data([1]), for: "a")
            #expect(try await cache.data(for: "a") == Data([1]))
        }
    }

    private func expectSuccess(_ lines: [String]) throws {
        let line = try #require(lines.last)
        #expect(line.contains(" failures 0 wrong 0"), "\(line)")
        #expect(!line.hasPrefix("stores 0 "), "\(line)")
    }
}
