#if Server
/// A queue for a limited capacity, fair between clients. A pure value: events in, actions out.
///
/// Each job has a weight, and those in progress weigh at most `capacity` together. A job that weighs more counts as the
/// whole capacity, so that it runs alone. Clients take turns by the weight that they have been served (start-time fair
/// queueing), and each client's jobs run in order of arrival. When the queue is full, a new job takes the place of the
/// last job of the client with the most waiting jobs, unless its own client is that one.
struct FairQueue<Client: Hashable & Sendable>: Sendable {
    typealias Job = Int

    enum Action: Sendable, Equatable {
        case start(Job)
        case refuse(Job)
    }

    private struct Entry {
        var client: Client
        var weight: Int
        var isRunning: Bool
    }

    private struct Share {
        /// Waiting jobs, in order of arrival.
        var waiting: [Job] = []
        var runningCount = 0
        /// The virtual time at which the client's next job may start.
        var tag: Double = 0

        var isUnused: Bool { waiting.isEmpty && runningCount == 0 }
    }

    /// The largest sum of weights in progress.
    let capacity: Int
    /// The largest number of waiting jobs.
    let maximumWaiting: Int
    /// The sum of weights in progress.
    private(set) var inUse = 0
    private(set) var waitingCount = 0
    private(set) var runningCount = 0
    private var entries: [Job: Entry] = [:]
    private var shares: [Client: Share] = [:]
    /// The tag of the job that started last.
    private var virtualTime: Double = 0

    init(capacity: Int, maximumWaiting: Int = .max) {
        self.capacity = max(1, capacity)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    /// Whether the next job would have to wait.
    var isBusy: Bool { waitingCount > 0 || inUse >= capacity }

    /// The number of clients with jobs.
    var clientCount: Int { shares.count }

    /// Adds a job. Its number must be new and larger than those before.
    mutating func arrive(_ job: Job, client: Client, weight: Int) -> [Action] {
        let weight = min(max(0, weight), capacity)
        var actions: [Action] = []
        if waitingCount == 0, fits(weight) {
            add(job, client: client, weight: weight)
            return startNext()
        }
        if waitingCount >= maximumWaiting {
            guard let displaced = lastJob(ofHeavierClientThan: client) else { return [.refuse(job)] }
            remove(displaced)
            actions.append(.refuse(displaced))
        }
        add(job, client: client, weight: weight)
        // The removed job may have been the one that did not fit.
        return actions + startNext()
    }

    /// Removes a job that has ended, or that no client waits for any more. Has no effect on an unknown job.
    mutating func leave(_ job: Job) -> [Action] {
        guard entries[job] != nil else { return [] }
        remove(job)
        return startNext()
    }

    /// Removes all waiting jobs.
    mutating func refuseAll() -> [Action] {
        let waiting = shares.values.flatMap(\.waiting).sorted()
        for job in waiting { remove(job) }
        return waiting.map { .refuse($0) }
    }

    private func fits(_ weight: Int) -> Bool { inUse + weight <= capacity || inUse == 0 }

    private mutating func add(_ job: Job, client: Client, weight: Int) {
        entries[job] = Entry(client: client, weight: weight, isRunning: false)
        var share = shares[client] ?? Share(tag: virtualTime)
        if share.waiting.isEmpty { share.tag = max(share.tag, virtualTime) }
        share.waiting.append(job)
        shares[client] = share
        waitingCount += 1
    }

    /// Starts waiting jobs while the next one fits. Later jobs do not pass it, so that a heavy one starts eventually.
    private mutating func startNext() -> [Action] {
        var actions: [Action] = []
        while let (client, job) = nextJob(), let weight = entries[job]?.weight, fits(weight) {
            virtualTime = shares[client]?.tag ?? virtualTime
            shares[client]?.waiting.removeFirst()
            shares[client]?.runningCount += 1
            shares[client]?.tag += Double(max(1, weight))
            entries[job]?.isRunning = true
            waitingCount -= 1
            runningCount += 1
            inUse += weight
            actions.append(.start(job))
        }
        return actions
    }

    /// The first job of the client that has been served least; among equals, the one that arrived first.
    private func nextJob() -> (client: Client, job: Job)? {
        var best: (client: Client, job: Job, tag: Double)?
        for (client, share) in shares {
            guard let job = share.waiting.first else { continue }
            if let current = best, (current.tag, current.job) <= (share.tag, job) { continue }
            best = (client, job, share.tag)
        }
        return best.map { ($0.client, $0.job) }
    }

    /// The last waiting job of the client with the most, if it has more than `client` would have.
    private func lastJob(ofHeavierClientThan client: Client) -> Job? {
        let own = shares[client]?.waiting.count ?? 0
        let heaviest = shares.filter { $0.key != client }.max {
            ($0.value.waiting.count, $0.value.waiting.last ?? 0) < ($1.value.waiting.count, $1.value.waiting.last ?? 0)
        }
        guard let heaviest, heaviest.value.waiting.count > own + 1 else { return nil }
        return heaviest.value.waiting.last
    }

    private mutating func remove(_ job: Job) {
        guard let entry = entries.removeValue(forKey: job) else { return }
        if entry.isRunning {
            inUse -= entry.weight
            runningCount -= 1
            shares[entry.client]?.runningCount -= 1
        } else {
            shares[entry.client]?.waiting.removeAll { $0 == job }
            waitingCount -= 1
        }
        if shares[entry.client]?.isUnused == true { shares[entry.client] = nil }
    }
}
#endif
