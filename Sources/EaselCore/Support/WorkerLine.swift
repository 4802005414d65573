/// The jobs of a pool's threads, and whether one of them looks for the next without sleeping first. Pure: times are
/// nanoseconds of any clock.
///
/// Waking a thread that sleeps costs some 20 us where an idle processor halts, on a virtual machine say: more than most
/// calls on files take. So where a job came soon after the one before, the next is expected as soon, and one
/// thread looks for it for a while before it sleeps. Where jobs come farther apart nobody ever does.
struct WorkerLine<Job> {
    /// How soon after the end of a job the next has to come, and for how long it is looked for.
    static var patience: UInt64 { 50_000 }

    private enum Watch {
        case nobody
        /// A thread has done its job and is about to look.
        case soon
        case now
    }

    private var jobs = JobQueue<Job>()
    private var watch = Watch.nobody
    /// When the last job was done, until the next comes.
    private var idleSince: UInt64?
    private var isBrisk = false

    var isEmpty: Bool { jobs.count == 0 }

    /// A job comes. Returns whether a thread has to be woken for it: not where one looks that has no other to take.
    ///
    /// - Parameter lastLook: when that one last looked. If that is long ago, it has lost its processor to others.
    mutating func append(_ job: Job, at now: UInt64, lastLook: UInt64) -> Bool {
        if let idleSince { isBrisk = now < idleSince + Self.patience }
        idleSince = nil
        jobs.append(job)
        return watch == .nobody || jobs.count > 1 || now > lastLook + Self.patience
    }

    /// A thread that was woken takes a job; another may have been faster.
    mutating func take() -> Job? { jobs.takeFirst() }

    /// A thread has nearly done a job: all that is left is telling so.
    mutating func finish(at now: UInt64) {
        guard isEmpty else { return }
        idleSince = now
        if isBrisk, watch == .nobody { watch = .soon }
    }

    /// A thread has done a job. Returns whether it shall look for the next; if not, it sleeps until it is woken.
    mutating func beginWatch() -> Bool {
        guard watch == .soon else { return false }
        watch = .now
        return true
    }

    /// The thread that looked has found something, or has looked long enough.
    mutating func endWatch() -> Job? {
        watch = .nobody
        return jobs.takeFirst()
    }
}
