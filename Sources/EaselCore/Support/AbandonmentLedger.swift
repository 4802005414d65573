/// How much work that nobody waits for any more may go on at a time. Pure: it counts.
struct AbandonmentLedger {
    /// The most jobs, and the most bytes that they may hold together. A single one may hold more.
    let mostJobs: Int
    let mostBytes: Int
    private(set) var jobCount = 0
    private(set) var byteCount = 0

    init(mostJobs: Int, mostBytes: Int) {
        self.mostJobs = mostJobs
        self.mostBytes = mostBytes
    }

    /// Whether one more may be left to itself. If so, it counts until `end`.
    mutating func begin(_ bytes: Int) -> Bool {
        let (sum, overflow) = byteCount.addingReportingOverflow(bytes)
        guard jobCount < mostJobs, jobCount == 0 || (!overflow && sum <= mostBytes) else { return false }
        jobCount += 1
        byteCount = overflow ? bytes : sum
        return true
    }

    /// One that was left has come to its end.
    mutating func end(_ bytes: Int) {
        precondition(jobCount > 0 && byteCount >= bytes, "Work has ended twice")
        jobCount -= 1
        byteCount -= bytes
    }
}
