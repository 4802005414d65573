/// One way to do a piece of work.
struct Contestant {
    var name: String
    /// Makes ready what a round uses up; not measured.
    var prepare: () async throws -> Void = {}
    /// Drops what is kept for the next time, before the round that tells how much memory the work takes.
    var forget: () -> Void = {}
    /// Where the work happens, whose memory is looked at.
    var place = Place.thisProcess
    var body: Body

    enum Body {
        /// Does the work so many times, and returns how many of them came out right. The time is what is measured.
        case timed((_ operations: Int) async throws -> Int)
        /// Gives what is measured.
        case counted(() async throws -> Double)
    }

    enum Place: Sendable {
        case thisProcess
        /// Another one, which runs all the time.
        case process(Int32)
        /// Commands, each of which ends.
        case commands
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

/// A contestant that did not do its work.
struct WrongResult: Error, CustomStringConvertible {
    var contestant: String
    var work: String

    var description: String { "\(contestant) got \(work) wrong: its time would mean nothing." }
}
