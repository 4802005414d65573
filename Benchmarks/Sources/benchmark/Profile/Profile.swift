import Foundation

/// A hot path that is repeated for a profiler.
struct Profile: Sendable {
    let name: String
    /// Prepares the input, and returns the work to repeat, which returns its number of operations.
    let prepare: @Sendable () async throws -> @Sendable () async throws -> Int

    static var names: String { all.map(\.name).joined(separator: ", ") }

    static func named(_ name: String) -> Profile? { all.first { $0.name == name } }

    @concurrent
    func run(seconds: Double) async throws {
        let work = try await prepare()
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        repeat { count += try await work() } while clock.now - start < .seconds(seconds)
        let each = (clock.now - start) / .nanoseconds(1) / Double(count)
        print("\(name): \(count) times, \(number(each)) ns each")
    }
}
