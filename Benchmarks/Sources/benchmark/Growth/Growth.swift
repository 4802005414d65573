import Foundation

/// The growth of the cost of one item with their number.
enum Growth {
    static let name = "growth"

    /// The result at one size.
    struct Point: Sendable {
        /// The number of items.
        var count: Double
        /// The nanoseconds for one item.
        var cost: Double
    }

    /// The results for one kind of item.
    struct Series: Sendable {
        /// The measured operation.
        var title: String
        /// The items.
        var items: String
        /// The smallest number of parts of each item, such as pixels.
        var least = 1.0
        var points: [Point] = []

        /// The exponent with which the total cost grows, by least squares. 1 is proportional.
        var exponent: Double {
            let x = points.map { log($0.count) }, y = points.map { log($0.count * $0.cost) }
            let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
            let covariance = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
            return covariance / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        }

        /// The exponent of `n log n` between the first and the last point.
        var allowedExponent: Double {
            guard let first = points.first?.count, let last = points.last?.count, first < last else { return 1 }
            // Avoids log(1), which is 0.
            return 1 + log(log(last * least + 1) / log(first * least + 1)) / log(last / first)
        }
    }

    /// Measures all series, draws each on the terminal, and all into a file.
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
                Absence.report("no growth of something: \(error)")
            }
        }
        guard let plots else { return }
        do {
            try Data(VectorPlot.text(all).utf8).write(to: URL(filePath: plots), options: .atomic)
        } catch {
            Absence.report("no plots in \(plots): \(error)")
        }
    }

    /// Returns the minimum of some rounds, which other processes affect least.
    static func least(_ title: String, _ rounds: Int = 5, _ body: () async throws -> Double) async rethrows -> Double {
        var least = Double.infinity
        let rounds = Scale.pick(rounds, quick: 1)
        for round in 1...rounds {
            Progress.shared.show("growth: \(title)", "Easel", round: round, of: rounds)
            least = min(least, try await body())
        }
        return least
    }

    /// Returns the duration in nanoseconds.
    static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return (clock.now - start) / .nanoseconds(1)
    }
}
