/// The work that goes on though nobody waits for it any more. Pure: it counts.
struct AbandonmentLedger {
    /// The jobs beyond which no other one begins, and the bytes that they may hold together with the next.
    let mostJobs: Int
    let mostBytes: Int
    private(set) var jobCount = 0
    private(set) var byteCount = 0

    init(mostJobs: Int, mostBytes: Int) {
        self.mostJobs = mostJobs
        self.mostBytes = mostBytes
    }

    /// Whether a job that holds `bytes` may begin. One may always, if none was left.
    func allows(_ bytes: Int) -> Bool {
        let (sum, overflow) = byteCount.addingReportingOverflow(bytes)
        return jobCount == 0 || (jobCount < mostJobs && !overflow && sum <= mostBytes)
    }

    /// A job was left. It counts until `end`.
    mutating func begin(_ bytes: Int) {
        jobCount += 1
        byteCount = Self.sum(byteCount, bytes)
    }

    /// One that was left has come to its end.
    mutating func end(_ bytes: Int) {
        precondition(jobCount > 0, "Work has ended twice")
        jobCount -= 1
        byteCount = jobCount == 0 ? 0 : max(byteCount - bytes, 0)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
