import Easel
import Foundation

/// Hit ratios of typical read sequences.
enum HitRatios {
    @Sendable static func works() async throws -> [Work] {
        [
            work(
                "hit ratio, feed, 600 of 1,000 authors", capacity: 600,
                feed(authors: 1_000, length: Scale.pick(40_000, quick: 10_000))),
            work(
                "hit ratio, zipf and scans, 500 of 20,000", capacity: 500,
                favouritesAndScans(images: 20_000, length: Scale.pick(100_000, quick: 20_000))),
        ]
    }

    private static func work(_ name: String, capacity: Int, _ trace: [Int]) -> Work {
        let keys = Dictionary(uniqueKeysWithValues: Set(trace).map { ($0, CacheKey("\($0)")) })
        return Work(
            group: MemoryGroup.name, name: name, unit: .percent, operations: trace.count, maximumRounds: 1,
            ours: Contestant(
                "Easel",
                .counted {
                    let cache = MemoryCache<Int>(maximumCost: capacity)
                    return percent(trace) { number in
                        guard let key = keys[number], cache.value(for: key) == nil else { return true }
                        cache.store(number, cost: 1, for: key)
                        return false
                    }
                }),
            peers: [
                Contestant(
                    "least recently used",
                    .counted {
                        let cache = LinkedCache<Int>(maximumCost: capacity)
                        return percent(trace) { number in
                            if cache.value(for: "\(number)") != nil { return true }
                            cache.store(number, cost: 1, for: "\(number)")
                            return false
                        }
                    })
            ])
    }

    private static func percent(_ trace: [Int], _ isHit: (Int) -> Bool) -> Double {
        Double(trace.count(where: isHit)) / Double(trace.count) * 100
    }

    /// Simulates a list of rows, each with an image and its author's avatar, scrolled down and partly up again.
    private static func feed(authors: Int, length: Int) -> [Int] {
        var random = Shuffle()
        let popular = Popularity(count: authors)
        var trace: [Int] = []
        var faces: [Int] = []
        var row = 0
        func distance(mean: Double) -> Int { Int(-log(1 - Double.random(in: 0..<1, using: &random)) * mean) + 1 }
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

    /// Images of unequal popularity, with an occasional scan over many that are not requested again.
    private static func favouritesAndScans(images: Int, length: Int) -> [Int] {
        var random = Shuffle()
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

/// A generator of numbers from 0, with probability proportional to 1 / rank^0.9.
private struct Popularity {
    private var sums: [Double] = []

    init(count: Int) {
        for rank in 1...count { sums.append((sums.last ?? 0) + pow(Double(rank), -0.9)) }
    }

    func pick(using random: inout Shuffle) -> Int {
        let target = Double.random(in: 0..<(sums.last ?? 1), using: &random)
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] < target { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
