/// Whether the next answer is likely to come at once, as one does from a server on this machine or the next: as all of the last few did,
/// each to a request that was alone.
///
/// Pure: it reads no clock.
struct PromptAnswers {
    /// For how long an answer is waited for without sleep.
    static let patience = Duration.microseconds(100)
    /// The longest that a prompt answer takes where threads sleep meanwhile, and have to wake.
    private static let longest = Duration.microseconds(250)
    /// How many in a row make the next one likely. Of several requests at a time so many are never alone one after the other.
    private static let enough = 8

    private var count = 0

    /// Whether it is worth to wait for the next one.
    var areExpected: Bool { count >= Self.enough }

    /// An exchange has ended, so long after its begin.
    mutating func note(after time: Duration, wasAlone: Bool) {
        count = wasAlone && time <= Self.longest ? min(count + 1, Self.enough) : 0
    }

    /// One that was waited for did not come.
    mutating func missed() { count = 0 }
}
