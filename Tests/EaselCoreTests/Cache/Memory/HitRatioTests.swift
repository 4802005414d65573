import EaselTesting
import Foundation
import Testing

@testable import EaselCore

@Suite("Hit ratio: S3-FIFO compared with least recently used")
struct HitRatioTests {
    /// Returns the hit ratio when each miss is stored at a cost of 1.
    private func hitRatio(_ policy: EvictionPolicy, capacity: Int, _ trace: [Int]) -> Double {
        let cache = NumberedCache(policy, cost: capacity)
        for key in trace where cache.value(for: key) == nil { cache.store(key, for: key) }
        return cache.cache.statistics.hitRatio
    }

    /// A user scrolls back a few dozen rows, which fit into the small queue of these caches.
    @Test("S3-FIFO loses at most 2.5 points when a user scrolls down and back up", arguments: [400, 600, 800])
    func feed(capacity: Int) {
        let trace = Trace.feed(authors: 1_000, length: 20_000, seed: 1)
        let plain = hitRatio(.leastRecentlyUsed, capacity: capacity, trace)
        let ours = hitRatio(.s3FIFO, capacity: capacity, trace)
        #expect(plain > 0.5)
        #expect(ours >= plain - 0.025, "\(ours) beside \(plain)")
    }

    @Test("S3-FIFO gains at least 6 points with favourites among scans", arguments: [50, 100, 200])
    func scans(capacity: Int) {
        let trace = Trace.favouritesAndScans(images: 4_000, length: 20_000, seed: 1)
        let plain = hitRatio(.leastRecentlyUsed, capacity: capacity, trace)
        let ours = hitRatio(.s3FIFO, capacity: capacity, trace)
        #expect(ours >= plain + 0.06, "\(ours) beside \(plain)")
    }
}

/// Sequences of keys, reproducible by seed.
private enum Trace {
    /// A list of rows, each with an image and one of few authors' portraits, scrolled down and partly back up.
    static func feed(authors: Int, length: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        let popular = Popularity(count: authors)
        var trace: [Int] = []
        var faces: [Int] = []
        var row = 0
        func distance(mean: Double) -> Int {
            Int(-log(1 - Double.random(in: 0..<1, using: &random)) * mean) + 1
        }
        func show() {
            while faces.count <= row { faces.append(popular.pick(using: &random)) }
            trace += [authors + row, faces[row]]
        }
        while trace.count < length {
            for _ in 0..<distance(mean: 40) {
                row += 1
                show()
            }
            for _ in 0..<min(row, distance(mean: 20)) {
                row -= 1
                show()
            }
        }
        return trace
    }

    /// Images of different popularity, with occasional scans over many images that do not recur.
    static func favouritesAndScans(images: Int, length: Int, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        let popular = Popularity(count: images)
        var trace: [Int] = []
        var scanned = images
        while trace.count < length {
            if Double.random(in: 0..<1, using: &random) < 0.002 {
                trace += scanned..<(scanned + 250)
                scanned += 250
            }
            trace.append(popular.pick(using: &random))
        }
        return trace
    }
}

/// Numbers from 0 with a probability of 1 / rank to the power of 0.9.
private struct Popularity {
    private var sums: [Double] = []

    init(count: Int) {
        for rank in 1...count { sums.append((sums.last ?? 0) + pow(Double(rank), -0.9)) }
    }

    func pick(using random: inout SeededGenerator) -> Int {
        let target = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < target { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
