import EaselCore

/// Concurrent calls on one cache from several tasks.
struct StoreLoad {
    let cache: DiskCache
    let seed: UInt64

    /// The results of the calls of one load.
    struct Outcome: Equatable {
        var stores = 0
        var hits = 0
        var failures: [String] = []
        /// Numbers of entries whose data differs from what was stored.
        var wrong: [Int] = []

        var text: String {
            "stores \(stores) hits \(hits) failures \(failures.count) wrong \(wrong.count)"
                + Set(failures).sorted().prefix(3).map { " (\($0))" }.joined()
        }

        static func + (first: Outcome, second: Outcome) -> Outcome {
            Outcome(
                stores: first.stores + second.stores, hits: first.hits + second.hits,
                failures: first.failures + second.failures, wrong: first.wrong + second.wrong)
        }
    }

    private static let tasks = 4
    private static let numbers = 48

    /// Stores forever, with increasing versions, so that the last acknowledged version must be in the cache. Each task
    /// has separate numbers.
    func fill() async {
        await withTaskGroup { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var random = SplitMix(state: seed &* 31 &+ UInt64(task))
                    var version = 0
                    while true {
                        version += 1
                        let own = Int.random(in: 0..<(Self.numbers / Self.tasks), using: &random)
                        let entry = SeededEntry(number: own * Self.tasks + task, version: version)
                        do throws(ImageError) {
                            try await cache.store(entry.data, for: entry.key)
                            CacheWriter.printLine("\(entry.number) \(entry.version)")
                        } catch {
                            CacheWriter.printLine("failed: \(error)")
                        }
                    }
                }
            }
        }
    }

    /// Stores, reads, removes and trims until the time is over.
    func mix(for duration: Duration) async -> Outcome {
        let end = ContinuousClock.now + duration
        return await withTaskGroup { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var random = SplitMix(state: seed &* 31 &+ UInt64(task))
                    var outcome = Outcome()
                    while ContinuousClock.now < end { await call(&random, &outcome) }
                    return outcome
                }
            }
            return await group.reduce(Outcome(), +)
        }
    }

    private func call(_ random: inout SplitMix, _ outcome: inout Outcome) async {
        let entry = SeededEntry(
            number: Int.random(in: 0..<Self.numbers, using: &random),
            version: Int.random(in: 0..<10_000, using: &random))
        do throws(ImageError) {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<50:
                try await cache.store(entry.data, for: entry.key)
                outcome.stores += 1
            case 50..<95:
                guard let data = try await cache.data(for: entry.key) else { return }
                outcome.hits += 1
                if SeededEntry.version(of: data, number: entry.number) == nil { outcome.wrong.append(entry.number) }
            case 95..<99: try await cache.remove(entry.key)
            default: await cache.trim()
            }
        } catch {
            outcome.failures.append("\(error)")
        }
    }
}

/// The SplitMix64 generator, which is deterministic for its state.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
