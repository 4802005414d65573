/// One way to do a piece of work.
struct Contestant {
    var name: String
    /// Makes ready what a round uses up; not measured.
    var prepare: () async throws -> Void = {}
    var body: Body

    enum Body {
        /// Does the work so many times, and returns how many of them came out right. The time is what is measured.
        case timed((_ operations: Int) async throws -> Int)
        /// Gives what is measured.
        case counted(() async throws -> Double)
    }

    init(_ name: String, prepare: @escaping () async throws -> Void = {}, _ body: Body) {
        self.name = name
        self.prepare = prepare
        self.body = body
    }
}

/// A piece of work that Easel and its peers do, each as well as it can.
struct Work {
    var group: String
    var name: String
    var unit = Unit.nanoseconds
    /// How often a round does it, so that a round is long beside the clock's step.
    var operations = 1
    /// How many rounds are enough, where a round takes long or gives the same each time.
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

/// What the rounds of one contestant gave, in the work's unit.
struct Figures: Encodable {
    var median: Double
    var min: Double
    var max: Double

    init(_ rounds: [Double]) {
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        min = sorted[0]
        max = sorted[sorted.count - 1]
    }
}

/// A contestant that did not do its work.
struct WrongResult: Error, CustomStringConvertible {
    var contestant: String
    var work: String

    var description: String { "\(contestant) got \(work) wrong: its time would mean nothing." }
}

extension Work {
    /// Runs everybody in every round, in an order that turns round each time: what the machine does beside it, and what
    /// the one before left in the processor's caches, strikes all alike. Before that, one round that does not count.
    func measure(rounds: Int) async throws -> Result {
        let rounds = min(rounds, maximumRounds)
        let everybody = [ours] + peers
        if maximumRounds == .max {
            for contestant in everybody { _ = try await measure(contestant) }
        }
        var measured = [[Double]](repeating: [], count: everybody.count)
        for round in 0..<rounds {
            let order = round.isMultiple(of: 2) ? Array(everybody.indices) : everybody.indices.reversed()
            for index in order { measured[index].append(try await measure(everybody[index])) }
        }
        let figures = measured.map(Figures.init)
        return Result(work: self, ours: figures[0], peers: Array(zip(peers.map(\.name), figures.dropFirst())))
    }

    private func measure(_ contestant: Contestant) async throws -> Double {
        try await contestant.prepare()
        switch contestant.body {
        case .counted(let count): return try await count()
        case .timed(let run):
            let clock = ContinuousClock()
            let start = clock.now
            let right = try await run(operations)
            let elapsed = (clock.now - start) / .nanoseconds(1)
            guard right == operations else { throw WrongResult(contestant: contestant.name, work: name) }
            return elapsed / Double(operations)
        }
    }
}
