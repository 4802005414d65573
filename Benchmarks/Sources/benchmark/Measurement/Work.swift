/// A piece of work that Easel and its peers do.
struct Work {
    var group: String
    var name: String
    var unit = Unit.nanoseconds
    /// The repetitions in a round, so that a round is long compared with the clock's resolution.
    var operations = 1
    /// The largest useful number of rounds, if a round takes long or gives constant results.
    var maximumRounds = Int.max
    var ours: Contestant
    var peers: [Contestant]

    enum Unit: String {
        case nanoseconds = "ns"
        case bytes
        case percent = "%"
        case perSecond = "1/s"
        case megabytesPerSecond = "MB/s"

        var isLowerBetter: Bool { self == .nanoseconds || self == .bytes }
    }
}

extension Work {
    /// Runs every contestant in every round, in an order that reverses each time, so that other load and cached data
    /// affect all equally. A warm-up round comes first. A peer that fails is reported and left out.
    func measure(rounds: Int) async throws -> Result {
        let rounds = min(rounds, maximumRounds)
        let contestants = [ours] + peers
        var measured = [Measured](repeating: Measured(), count: contestants.count)
        for round in (maximumRounds == .max ? 0 : 1)...rounds {
            let order = round.isMultiple(of: 2) ? Array(contestants.indices) : contestants.indices.reversed()
            for index in order where !measured[index].hasFailed {
                let contestant = contestants[index]
                Progress.shared.show("\(group): \(name)", contestant.name, round: round, of: rounds)
                do {
                    try await measured[index].add(self, contestant, isWarmUp: round == 0)
                } catch  where index > 0 {
                    measured[index].hasFailed = true
                    Absence.report("\(contestant.name) was excluded from \(name): \(error)")
                }
            }
        }
        let present = zip(peers, measured.dropFirst()).filter { !$0.1.hasFailed }
        return Result(work: self, ours: measured[0].figures, peers: present.map { ($0.name, $1.figures) })
    }
}

/// The results of one contestant so far.
private struct Measured {
    private var rounds: [Double] = []
    private var memory: Int?
    private var allocations: Double?
    private var isFirst = true
    var hasFailed = false

    var figures: Figures { Figures(rounds, memory: memory, allocations: allocations) }

    /// Adds a round. The first counts allocations and starts with freed memory. Its duration does not count, unless all
    /// rounds are long.
    mutating func add(_ work: Work, _ contestant: Contestant, isWarmUp: Bool) async throws {
        try await contestant.prepare()
        if isFirst {
            contestant.forget()
            Allocations.trim()
        }
        let use = MemoryUse(contestant.place)
        if isFirst { Allocations.begin() }
        let figure: Swift.Result<Double, any Error>
        do { figure = .success(try await run(work, contestant)) } catch { figure = .failure(error) }
        let count = isFirst ? Allocations.end() : nil
        if let growth = use?.growth { memory = max(memory ?? 0, growth) }
        if case .thisProcess = contestant.place, let count {
            allocations = Double(count) / Double(work.operations)
        }
        isFirst = false
        let value = try figure.get()
        if !isWarmUp { rounds.append(value) }
    }

    private func run(_ work: Work, _ contestant: Contestant) async throws -> Double {
        switch contestant.body {
        case .counted(let count): return try await count()
        case .timed(let run):
            let clock = ContinuousClock()
            let start = clock.now
            let right = try await run(work.operations)
            let elapsed = (clock.now - start) / .nanoseconds(1)
            guard right == work.operations else { throw WrongResult(contestant: contestant.name, work: work.name) }
            return elapsed / Double(work.operations)
        }
    }
}
