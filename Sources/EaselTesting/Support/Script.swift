/// Answers that are given one after the other; the last stays.
struct Script<Answer: Sendable>: Sendable {
    private var answers: [Answer]

    init(_ answers: [Answer]) {
        self.answers = answers
    }

    /// `nil` only where there never was an answer.
    mutating func next() -> Answer? {
        answers.count > 1 ? answers.removeFirst() : answers.first
    }
}

/// A random source that gives the same sequence for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// A source of its own for each seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
