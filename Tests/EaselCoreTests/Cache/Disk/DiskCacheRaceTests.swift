import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: concurrent reads, writes and removals", .timeLimit(.minutes(1)))
struct DiskCacheRaceTests {
    @Test("an open file stays readable after its entry is removed or replaced (B44)")
    func removedWhileRead() async throws {
        try await DiskCacheFixture.with { fixture in
            let data = Data((0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
            for key in ["removed", "replaced"] as [CacheKey] { try await fixture.cache.store(data, for: key) }
            let removed = try FileHandleReader(#require(await fixture.cache.path(for: "removed")))
            let replaced = try FileHandleReader(#require(await fixture.cache.path(for: "replaced")))
            try await fixture.cache.remove("removed")
            try await fixture.cache.store(Data([1]), for: "replaced")
            #expect(Data(removed.readToEnd()) == data)
            #expect(Data(replaced.readToEnd()) == data)
            #expect(try await fixture.cache.data(for: "removed") == nil)
            #expect(try await fixture.cache.data(for: "replaced") == Data([1]))
        }
    }

    @Test("removeAll during stores and reads leaves entries intact and the counter exact (B28, B46)")
    func removeAll() async throws {
        try await DiskCacheFixture.with { fixture in
            let wrong = await withTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        var wrong = 0
                        for step in 0..<40 {
                            let key = CacheKey("\((task + step) % 6)")
                            let length = 100 + (task + step) % 6
                            if (try? await fixture.cache.store(Data(count: length), for: key)) == nil { wrong += 1 }
                            let read = try? await fixture.cache.data(for: key)
                            if let read, read != Data(count: length) { wrong += 1 }
                        }
                        return wrong
                    }
                }
                group.addTask {
                    var failed = 0
                    for _ in 0..<20 where (try? await fixture.cache.removeAll()) == nil { failed += 1 }
                    return failed
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
            await fixture.cache.settle()
            let usage = fixture.cache.usage
            #expect(await fixture.cache.statistics() == .init(entries: usage.entries, bytes: usage.bytes))
            #expect(try fixture.folder.names().allSatisfy { !$0.hasPrefix(".tmp") })
            try await fixture.cache.removeAll()
            try await fixture.cache.store(Data([1]), for: "last")
            #expect(fixture.cache.usage == .init(entries: 1, bytes: 1, isComplete: true))
        }
    }

    @Test("the counter is exact after concurrent trims, counts and stores (B54)")
    func counter() async throws {
        try await DiskCacheFixture.with(maximumBytes: 20_000) { fixture in
            await withTaskGroup { group in
                for task in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(task))
                        for _ in 0..<60 {
                            let key = CacheKey("\(Int.random(in: 0..<30, using: &random))")
                            switch Int.random(in: 0..<8, using: &random) {
                            case 0: try? await fixture.cache.remove(key)
                            case 1: await fixture.cache.trim()
                            case 2: _ = await fixture.cache.statistics()
                            default:
                                let length = Int.random(in: 0..<2_000, using: &random)
                                try? await fixture.cache.store(Data(count: length), for: key)
                            }
                        }
                    }
                }
            }
            await fixture.cache.settle()
            let usage = fixture.cache.usage
            #expect(usage.isComplete)
            #expect(usage.bytes <= 20_000)
            #expect(await fixture.another().statistics() == .init(entries: usage.entries, bytes: usage.bytes))
        }
    }

    @Test("a read during changes of metadata and bytes returns whole bytes and whole metadata")
    func metadata() async throws {
        try await DiskCacheFixture.with { fixture in
            try await fixture.cache.store(Data(repeating: 1, count: 1_000), for: "a")
            let wrong = await withTaskGroup { group in
                for task in 0..<2 {
                    group.addTask {
                        for step in 0..<40 {
                            let fields = ["step": String(repeating: "\(step % 10)", count: task * 3_000 + 100)]
                            try? await fixture.cache.setMetadata(CacheMetadata(fields: fields), for: "a")
                        }
                        return 0
                    }
                }
                group.addTask {
                    for step in 1...40 {
                        try? await fixture.cache.store(Data(repeating: UInt8(step), count: 1_000), for: "a")
                    }
                    return 0
                }
                group.addTask {
                    var wrong = 0
                    for _ in 0..<120 {
                        let file = try? await fixture.cache.file(for: "a")
                        guard let file, Set(file.data).count == 1, file.data.count == 1_000 else {
                            wrong += 1
                            continue
                        }
                        if Set(file.metadata.fields["step"] ?? "x").count != 1 { wrong += 1 }
                    }
                    return wrong
                }
                return await group.reduce(0, +)
            }
            #expect(wrong == 0)
        }
    }
}
