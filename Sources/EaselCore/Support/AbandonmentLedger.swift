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
        jobCount == 0 || (jobCount < mostJobs && byteCount + counted(bytes) <= mostBytes)
    }

    /// A job was left. It counts until `end`.
    mutating func begin(_ bytes: Int) {
        jobCount += 1
        byteCount += counted(bytes)
    }

    /// One that was left has come to its end.
    mutating func end(_ bytes: Int) {
        precondition(jobCount > 0 && byteCount >= counted(bytes), "Work has ended twice")
        jobCount -= 1
        byteCount -= counted(bytes)
    }

    /// More than may be held is one byte more, so that sums do not overflow.
    private func counted(_ bytes: Int) -> Int { min(bytes, mostBytes + 1) }
}
