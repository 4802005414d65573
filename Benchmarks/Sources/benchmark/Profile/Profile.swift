import Foundation

/// One hot path, gone again and again, for a profiler to look at.
struct Profile: Sendable {
    let name: String
    /// Makes everything ready, and returns what is done over and over; that returns how often it was done.
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
