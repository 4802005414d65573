/// One way to do a piece of work.
struct Contestant {
    var name: String
    /// Does the work `operations` times, and returns how many of them came out right.
    var run: (_ operations: Int) -> Int
}

/// A piece of work that Easel and its peers do, each as well as it can.
struct Work {
    var group: String
    var name: String
    /// How often a round does it, so that a round is long beside the clock's step.
    var operations: Int
    var ours: Contestant
    var peers: [Contestant]
}

/// What the rounds of one contestant gave, in nanoseconds an operation.
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
    /// the one before left in the processor's caches, strikes all alike.
    func measure(rounds: Int) throws -> Result {
        let everybody = [ours] + peers
        for contestant in everybody { _ = try time(contestant) }
        var times = [[Double]](repeating: [], count: everybody.count)
        for round in 0..<rounds {
            let order = round.isMultiple(of: 2) ? Array(everybody.indices) : everybody.indices.reversed()
            for index in order { times[index].append(try time(everybody[index])) }
        }
        let figures = times.map(Figures.init)
        return Result(work: self, ours: figures[0], peers: Array(zip(peers.map(\.name), figures.dropFirst())))
    }

    private func time(_ contestant: Contestant) throws -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let right = contestant.run(operations)
        let elapsed = (clock.now - start) / .nanoseconds(1)
        guard right == operations else { throw WrongResult(contestant: contestant.name, work: name) }
        return elapsed / Double(operations)
    }
}
