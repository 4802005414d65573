/// A sequence of responses. The last one repeats.
struct Script<Response: Sendable>: Sendable {
    private var responses: [Response]

    init(_ responses: [Response]) { self.responses = responses }

    /// Returns the next response; `nil` only if the script is empty.
    mutating func next() -> Response? { responses.count > 1 ? responses.removeFirst() : responses.first }
}

/// A deterministic random number generator: SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator. Each seed has its own sequence.
    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
