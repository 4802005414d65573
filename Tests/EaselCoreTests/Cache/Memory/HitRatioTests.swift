import Foundation
import Testing

@testable import EaselCore

@Suite("Hit ratio: S3-FIFO beside least recently used")
struct HitRatioTests {
    /// The share of reads that hit, where each miss is stored at a cost of 1.
    private func hitRatio(_ policy: EvictionPolicy, capacity: Int, _ trace: [Int]) -> Double {
        var cache = NumberedEntries<Int>(policy, cost: capacity)
        for key in trace where cache.value(for: key) == nil { cache.store(key, for: key) }
        return cache.entries.statistics.hitRatio
    }

    @Test("a user who scrolls down and back up loses at most 2.5 points")
    func feed() {
        let trace = Trace.feed(pictures: 4_000, length: 30_000, seed: 1)
        for capacity in [50, 100, 200] {
            let plain = hitRatio(.leastRecentlyUsed, capacity: capacity, trace)
            let ours = hitRatio(.s3FIFO, capacity: capacity, trace)
            #expect(plain > 0.3)
            #expect(ours >= plain - 0.025, "capacity \(capacity): \(ours) beside \(plain)")
        }
    }

    @Test("favourites among scans gain at least 6 points")
    func scans() {
        let trace = Trace.favouritesAndScans(pictures: 4_000, length: 30_000, seed: 1)
        for capacity in [50, 100, 200] {
            let plain = hitRatio(.leastRecentlyUsed, capacity: capacity, trace)
            let ours = hitRatio(.s3FIFO, capacity: capacity, trace)
            #expect(ours >= plain + 0.06, "capacity \(capacity): \(ours) beside \(plain)")
        }
    }
}

/// Keys in the order in which they are asked for; the same for the same seed.
private enum Trace {
    /// Scrolling: a window of pictures moves down a list, stops, goes some way back up, and down again.
    static func feed(pictures: Int, length: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        var trace: [Int] = []
        var position = 0
        while trace.count < length {
            let isBack = Double.random(in: 0..<1, using: &random) < 0.4
            let distance = Int(pow(Double.random(in: 0..<1, using: &random), 2) * 120) + 4
            for _ in 0..<distance {
                position = min(max(position + (isBack ? -1 : 1), 0), pictures - 1)
                trace.append(position)
            }
        }
        return trace
    }

    /// Pictures as popular as 1 / rank to the power of 0.9, and now and then a walk over many that nobody asks for again.
    static func favouritesAndScans(pictures: Int, length: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        var sums: [Double] = []
        for rank in 1...pictures { sums.append((sums.last ?? 0) + pow(Double(rank), -0.9)) }
        var trace: [Int] = []
        var scanned = pictures
        while trace.count < length {
            if Double.random(in: 0..<1, using: &random) < 0.002 {
                trace += scanned..<(scanned + 250)
                scanned += 250
            }
            let wanted = Double.random(in: 0..<(sums.last ?? 1), using: &random)
            var (low, high) = (0, pictures - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] < wanted { low = middle + 1 } else { high = middle }
            }
            trace.append(low)
        }
        return trace
    }
}
