import EaselTesting
import Foundation
import Testing

@testable import EaselCore
@testable import cache_writer

@Suite("Disk cache: killed writers", .withWriter, .timeLimit(.minutes(10)))
struct DiskCacheKillTests {
    @Test("after a kill at any moment each entry is whole or absent, and acknowledged ones exist (B37, B48)")
    func killed() async throws {
        var random = SeededGenerator(seed: 9)
        try await DiskCacheFixture.with { fixture in
            // The last acknowledged version of each entry.
            var acknowledged: [Int: Int] = [:]
            var leftOver = 0
            for round in 0..<Soak.rounds(20, long: 200) {
                let writer = try WriterProcess(fixture.folder.path, "fill \(round)")
                await writer.waitForLines(Int.random(in: 1...60, using: &random))
                writer.kill()
                // Each round starts again at the first version.
                for line in await writer.end() {
                    let numbers = line.split(separator: " ").compactMap { Int($0) }
                    try #require(numbers.count == 2, "\(line)")
                    acknowledged[numbers[0]] = round * 1_000_000 + numbers[1]
                }
                leftOver += try fixture.folder.names().count { $0.hasPrefix(".tmp-") }
                try await expectWhole(acknowledged, round, fixture.another())
            }
            #expect(!acknowledged.isEmpty)
            // Otherwise no kill came during a write, and the test proved nothing.
            #expect(leftOver > 0)
        }
    }

    /// Expects that all entries are intact and at least as new as acknowledged, and that no temporary file is left.
    private func expectWhole(_ acknowledged: [Int: Int], _ round: Int, _ cache: DiskCache) async throws {
        for (number, newest) in acknowledged {
            let data = try await cache.data(for: SeededEntry(number: number, version: 0).key)
            let version = try #require(data.flatMap { SeededEntry.version(of: $0, number: number) }, "entry \(number)")
            // A version that was written but not acknowledged may exist.
            if newest / 1_000_000 == round { #expect(version >= newest % 1_000_000, "entry \(number)") }
        }
        #expect(await cache.verify().torn == 0)
        try await cache.store(Data([1]), for: "next")
        await cache.settle()
        let names = try FileManager.default.contentsOfDirectory(atPath: cache.folder)
        #expect(!names.contains { $0.hasPrefix(".tmp-") })
        #expect(cache.usage.entries == names.count - 1)
    }
}
