import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Disk cache: concurrent calls", .timeLimit(.minutes(1)))
struct DiskCacheThreadsTests {
    @Test("concurrent stores and reads of one key return whole values (B47)")
    func oneKey() async throws {
        try await DiskCacheFixture.with { fixture in
            let other = DiskCache(folder: fixture.folder.path)
            try await fixture.cache.store(Self.version(1), for: "a")
            let torn = await withTaskGroup { group in
                for writer in 0..<4 {
                    group.addTask { [cache = writer % 2 == 0 ? fixture.cache : other] in
                        var failed = 0
                        for step in 0..<40 {
                            do { try await cache.store(Self.version(writer * 40 + step + 1), for: "a") } catch {
                                failed += 1
                            }
                        }
                        return failed
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        var torn = 0
                        for _ in 0..<60 where !Self.isWhole(try? await fixture.cache.data(for: "a")) { torn += 1 }
                        return torn
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(torn == 0)
            #expect(try fixture.folder.names() == [CacheKey("a").fileName])
        }
    }

    @Test("concurrent stores, reads, removals and trims of many keys return whole values within the limit")
    func manyKeys() async throws {
        try await DiskCacheFixture.with(maximumBytes: 40_000) { fixture in
            let torn = await withTaskGroup { group in
                for seed in 0..<6 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed))
                        var torn = 0
                        for _ in 0..<60 {
                            let key = CacheKey("\(Int.random(in: 0..<12, using: &random))")
                            switch Int.random(in: 0..<10, using: &random) {
                            case 0..<5:
                                let version = Int.random(in: 1...200, using: &random)
                                if (try? await fixture.cache.store(Self.version(version), for: key)) == nil {
                                    torn += 1
                                }
                            case 5..<8:
                                let data = try? await fixture.cache.data(for: key)
                                if data != nil, !Self.isWhole(data) { torn += 1 }
                            case 8: try? await fixture.cache.remove(key)
                            default: await fixture.cache.trim()
                            }
                        }
                        return torn
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(torn == 0)
            await fixture.cache.trim()
            #expect(await fixture.cache.statistics().bytes <= 40_000)
            #expect(await fixture.cache.verify().torn == 0)
        }
    }

    /// Returns data that encodes the number in its bytes and length.
    private static func version(_ number: Int) -> Data {
        Data(repeating: UInt8(number), count: 50 * number)
    }

    private static func isWhole(_ data: Data?) -> Bool {
        guard let data, let byte = data.first else { return false }
        return data == version(Int(byte))
    }
}
