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
