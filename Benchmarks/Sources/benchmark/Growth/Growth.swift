import Foundation

/// How the cost of one grows with how many there are.
enum Growth {
    static let name = "growth"

    /// What was measured at one size.
    struct Point: Sendable {
        /// How many.
        var count: Double
        /// Nanoseconds for one of them.
        var cost: Double
    }

    /// One question.
    struct Series: Sendable {
        /// What costs.
        var title: String
        /// What there are so many of.
        var items: String
        /// The least parts that each of these has, where it has some: pixels.
        var least = 1.0
        var points: [Point] = []

        /// The power of the number of items with which the cost of all grows, by least squares: 1 is proportional.
        var exponent: Double {
            let x = points.map { log($0.count) }, y = points.map { log($0.count * $0.cost) }
            let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
            let covariance = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
            return covariance / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        }

        /// The power that `n log n` looks like between the first and the last point.
        var allowedExponent: Double {
            guard let first = points.first?.count, let last = points.last?.count, first < last else { return 1 }
            // Of one alone the logarithm would be nothing.
            return 1 + log(log(last * least + 1) / log(first * least + 1)) / log(last / first)
        }
    }

    /// Measures all, draws each on the terminal, and all of them into a file.
    static func print(plots: String?) async {
        var all: [Series] = []
        Swift.print("\ngrowth: the cost of one, by how many there are")
        for measure in [
            GrowthOfCaches.memory, GrowthOfCaches.disk, GrowthOfLoads.waiting, GrowthOfLoads.subscribers,
            GrowthOfImages.sizes, GrowthOfImages.players,
        ] {
            do {
                for series in try await measure() {
                    Progress.shared.clear()
                    Swift.print("\n" + TerminalPlot.text(series))
                    fflush(nil)
                    all.append(series)
                }
            } catch {
                Absence.tell("no growth of something: \(error)")
            }
        }
        guard let plots else { return }
        do {
            try Data(VectorPlot.text(all).utf8).write(to: URL(filePath: plots), options: .atomic)
        } catch {
            Absence.tell("no plots in \(plots): \(error)")
        }
    }

    /// The least of some rounds, which is what other processes disturb least.
    static func least(_ title: String, _ rounds: Int = 5, _ body: () async throws -> Double) async rethrows -> Double {
        var least = Double.infinity
        let rounds = Scale.pick(rounds, quick: 1)
        for round in 1...rounds {
            Progress.shared.show("growth: \(title)", "Easel", round: round, of: rounds)
            least = min(least, try await body())
        }
        return least
    }

    /// How long it takes, in nanoseconds.
    static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return (clock.now - start) / .nanoseconds(1)
    }
}
