/// Jobs in the order in which they came; adding and taking one costs constant time on average.
///
/// An array with a mark, not a list: its memory stays in proportion to what waits, also where it never runs empty.
struct JobQueue<Job> {
    private var jobs: [Job] = []
    /// The jobs before this place were taken.
    private var next = 0

    /// How many wait.
    var count: Int { jobs.count - next }

    /// The places in use, those of taken jobs included. For tests.
    var placeCount: Int { jobs.count }

    mutating func append(_ job: Job) {
        jobs.append(job)
    }

    mutating func takeFirst() -> Job? {
        guard next < jobs.count else { return nil }
        let job = jobs[next]
        next += 1
        // Moving the rest costs no more than taking as many did.
        if next * 2 >= jobs.count {
            jobs.removeFirst(next)
            next = 0
        }
        return job
    }
}
