/// One way to do a piece of work.
struct Contestant {
    var name: String
    /// Prepares the input of a round; not measured.
    var prepare: () async throws -> Void = {}
    /// Drops cached data before the round that measures memory.
    var forget: () -> Void = {}
    /// The process whose memory is measured.
    var place = Place.thisProcess
    var body: Body

    enum Body {
        /// Does the work the given number of times, and returns the number of correct results. The duration is
        /// measured.
        case timed((_ operations: Int) async throws -> Int)
        /// Returns the measurement.
        case counted(() async throws -> Double)
    }

    enum Place: Sendable {
        case thisProcess
        /// Another process, which stays alive.
        case process(Int32)
        /// Commands that exit.
        case commands
        /// The processes to measure the memory of, in a separate row.
        case servers
    }

    init(
        _ name: String, in place: Place = .thisProcess, prepare: @escaping () async throws -> Void = {}, _ body: Body
    ) {
        self.name = name
        self.place = place
        self.prepare = prepare
        self.body = body
    }
}

/// The error of a contestant with incorrect results.
struct WrongResult: Error, CustomStringConvertible {
    var contestant: String
    var work: String

    var description: String { "\(contestant) got \(work) wrong: its time would mean nothing." }
}
