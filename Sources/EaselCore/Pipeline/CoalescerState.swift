/// The entries of a `Coalescer` with their subscribers.
///
/// A pure value: each event returns the actions that follow from it. Entries have numbers, so that a late event of an
/// entry cannot reach a later entry with the same key.
///
/// Only a limited number of entries runs at a time. The others wait without a task. Those that turn out to be local,
/// because the cache has their file, have a separate limit, so that they do not wait for a server.
struct CoalescerState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, ImageError>
    typealias Subscriber = Int
    typealias EntryID = Int

    enum Action {
        /// Run the operation of this subscriber.
        case start(EntryID, leader: Subscriber)
        /// Find out whether a waiting entry is local, and call `didProbe`. There is one probe at a time.
        case probe(EntryID, Key)
        case cancel(EntryID)
        case updateDemand(EntryID)
        /// A request has been sent.
        case announceRequest(Subscriber)
        case deliver(LoadUpdate, [Subscriber])
        /// End these subscriptions. A value comes with a lease for each.
        indirect case finish(EntryID, Outcome, [Subscriber])
        /// End a subscription with a finished value and a lease.
        indirect case answer(EntryID, Value, Subscriber)
        /// Release a value outside of locks.
        indirect case release(Value)
    }

    private enum Lane: Hashable { case remote, local }

    private struct Entry {
        let key: Key
        var subscribers: Subscribers
        /// Whether it is the second attempt, after the first leader failed.
        var isRetry = false
        var isWaiting = false
        var hasSentRequest = false
        /// The last `.progress`, `.arriving` and `.preview`.
        var progress, file, preview: LoadUpdate?
    }

    /// A value that can be joined until its last lease ends.
    private struct Finished {
        let id: EntryID
        let value: Value
        var leaseCount: Int
    }

    private var entries: [EntryID: Entry] = [:]
    private var open: [Key: EntryID] = [:]
    private var finished: [Key: Finished] = [:]
    private var finishedKeys: [EntryID: Key] = [:]
    private var subscriptions: [Subscriber: EntryID] = [:]
    private var nextEntry = 0
    private var queue: PriorityQueue<EntryID, Lane>?
    private var unprobed = Deque<EntryID>()
    private var isProbing = false

    /// - Parameter limit: The number of entries that run at a time, and again as many that are local.
    init(limit: Int = .max) {
        if limit < .max { queue = PriorityQueue(limit: .max, limitPerGroup: limit) }
    }

    /// The number of entries that run or wait.
    var count: Int { entries.count }
    /// The number of finished values.
    var finishedCount: Int { finished.count }

    // MARK: - Subscribers

    /// Adds a subscriber: to the entry of `key`, or to a new one that it leads.
    ///
    /// - Parameters:
    ///   - mayWait: `false` for a subscriber that is part of a running operation, which the limit must not hold up.
    ///   - joinsFinished: Whether a finished value is an answer, as long as it is leased.
    mutating func join(
        _ subscriber: Subscriber, _ key: Key, demand: LoadDemand, mayWait: Bool = true, joinsFinished: Bool = false
    ) -> [Action] {
        guard let id = open[key], let before = self.demand(of: id) else {
            if joinsFinished, let (id, value) = lease(key) { return [.answer(id, value, subscriber)] }
            return begin(Entry(key: key, subscribers: Subscribers(subscriber, demand)), mayWait: mayWait)
        }
        entries[id]?.subscribers.set(demand, of: subscriber)
        subscriptions[subscriber] = id
        guard let entry = entries[id] else { return [] }
        var actions: [Action] = entry.hasSentRequest ? [.announceRequest(subscriber)] : []
        actions += [entry.progress, entry.file, entry.preview].compactMap { $0.map { .deliver($0, [subscriber]) } }
        if !mayWait, entry.isWaiting { return actions + leaveQueue(id) + start([id]) }
        return actions + demandDidChange(of: id, from: before)
    }

    /// Ends subscriptions. The last one of an entry cancels it. No waiting entry starts before all of them have ended,
    /// because it can be the entry of one of them.
    mutating func leave(_ subscribers: [Subscriber]) -> [Action] {
        queue?.holds += 1
        var left: [Subscriber] = []
        var consequences: [Action] = []
        for subscriber in subscribers {
            guard let more = remove(subscriber) else { continue }
            left.append(subscriber)
            consequences += more
        }
        queue?.holds -= 1
        consequences += start(queue?.admit() ?? [])
        return left.isEmpty ? consequences : [.finish(0, .failure(.cancelled), left)] + consequences
    }

    private mutating func remove(_ subscriber: Subscriber) -> [Action]? {
        guard let id = subscriptions.removeValue(forKey: subscriber), let before = demand(of: id) else { return nil }
        if entries[id]?.subscribers.count == 1 {
            return entries[id]?.isWaiting == true ? close(id) : [.cancel(id)] + close(id)
        }
        entries[id]?.subscribers.remove(subscriber)
        return demandDidChange(of: id, from: before)
    }

    mutating func setDemand(_ demand: LoadDemand, of subscriber: Subscriber) -> [Action] {
        guard let id = subscriptions[subscriber], let before = self.demand(of: id),
            entries[id]?.subscribers.demand(of: subscriber) != demand
        else { return [] }
        entries[id]?.subscribers.set(demand, of: subscriber)
        return demandDidChange(of: id, from: before)
    }

    /// Returns the demand of all subscribers of an entry together.
    func demand(of id: EntryID) -> LoadDemand? { entries[id]?.subscribers.demand }

    /// Returns the subscriber whose operation an entry runs.
    func leader(of id: EntryID) -> Subscriber? { entries[id]?.subscribers.first }

    private mutating func demandDidChange(of id: EntryID, from before: LoadDemand) -> [Action] {
        guard let demand = demand(of: id), demand != before else { return [] }
        if entries[id]?.isWaiting == true { return start(queue?.reprioritise(id, demand.priority) ?? []) }
        return [.updateDemand(id)]
    }

    // MARK: - Operations

    /// Stores an update for later subscribers. Returns the subscribers to deliver it to.
    mutating func didReport(_ update: LoadUpdate, from id: EntryID) -> [Subscriber] {
        switch update {
        case .progress: entries[id]?.progress = update
        case .preview: entries[id]?.preview = update
        case .arriving: entries[id]?.file = update
        case .cached: break
        }
        return entries[id]?.subscribers.all ?? []
    }

    /// Records that the operation is about to send a request. Returns the subscribers to query.
    mutating func willSendRequest(_ id: EntryID) -> [Subscriber] {
        entries[id]?.hasSentRequest = true
        return entries[id]?.subscribers.all ?? []
    }

    /// Closes the entry if it has no other subscribers than `refusing`, which do not need the request. Returns whether
    /// it was closed.
    mutating func closeIfUnneeded(_ id: EntryID, refusedBy refusing: [Subscriber]) -> Bool {
        guard let entry = entries[id] else { return true }
        guard entry.subscribers.all.allSatisfy(refusing.contains) else { return false }
        if open[entry.key] == id { open[entry.key] = nil }
        return true
    }

    /// Ends an operation. After a temporary error, only the leader gets the error, and the first follower leads a
    /// second attempt.
    mutating func finish(_ id: EntryID, _ outcome: Outcome) -> [Action] {
        guard let entry = entries[id] else { return [] }
        let next = close(id)
        let subscribers = entry.subscribers.all
        for subscriber in subscribers { subscriptions[subscriber] = nil }
        switch outcome {
        case .success(let value):
            let replaced = keep(Finished(id: id, value: value, leaseCount: subscribers.count), entry.key)
            return [.finish(id, outcome, subscribers)] + next + replaced
        case .failure(let error) where error.isTemporary && !entry.isRetry && subscribers.count > 1:
            var followers = entry.subscribers
            followers.remove(subscribers[0])
            return [.finish(id, outcome, [subscribers[0]])]
                + begin(Entry(key: entry.key, subscribers: followers, isRetry: true), mayWait: false) + next
        case .failure:
            return [.finish(id, outcome, subscribers)] + next
        }
    }

    private mutating func begin(_ entry: Entry, mayWait: Bool) -> [Action] {
        nextEntry += 1
        let id = nextEntry
        var entry = entry
        entry.isWaiting = mayWait && queue?.admitAtOnce(id, group: .remote) == false
        open[entry.key] = id
        for subscriber in entry.subscribers.all { subscriptions[subscriber] = id }
        entries[id] = entry
        guard entry.isWaiting else { return start([id]) }
        let actions = start(queue?.enqueue(id, group: .remote, priority: entry.subscribers.demand.priority) ?? [])
        guard entries[id]?.isWaiting == true else { return actions }
        unprobed.append(id)
        return actions + probeNext()
    }

    /// Closes an entry. A later subscriber begins a new one.
    private mutating func close(_ id: EntryID) -> [Action] {
        guard let entry = entries.removeValue(forKey: id) else { return [] }
        if open[entry.key] == id { open[entry.key] = nil }
        return leaveQueue(id)
    }

    // MARK: - Finished values

    /// Adds a value without an operation, with one lease.
    mutating func publish(_ value: Value, for key: Key) -> (id: EntryID, actions: [Action]) {
        nextEntry += 1
        return (nextEntry, keep(Finished(id: nextEntry, value: value, leaseCount: 1), key))
    }

    /// Leases the finished value of a key, if there is one.
    mutating func lease(_ key: Key) -> (EntryID, Value)? {
        finished[key]?.leaseCount += 1
        return finished[key].map { ($0.id, $0.value) }
    }

    /// Ends a lease. The last one removes the value.
    mutating func endLease(of id: EntryID) -> [Action] {
        guard let key = finishedKeys[id] else { return [] }
        finished[key]?.leaseCount -= 1
        guard finished[key]?.leaseCount == 0 else { return [] }
        return remove(finished.removeValue(forKey: key))
    }

    private mutating func keep(_ value: Finished, _ key: Key) -> [Action] {
        finishedKeys[value.id] = key
        return remove(finished.updateValue(value, forKey: key))
    }

    /// Removes a value. Its leases then have no effect.
    private mutating func remove(_ value: Finished?) -> [Action] {
        guard let value else { return [] }
        finishedKeys[value.id] = nil
        return [.release(value.value)]
    }

    // MARK: - Waiting entries

    /// Records the result of a probe. A local entry then waits in the local lane.
    mutating func didProbe(_ id: EntryID, isLocal: Bool) -> [Action] {
        isProbing = false
        var actions: [Action] = []
        if isLocal, entries[id]?.isWaiting == true, let priority = demand(of: id)?.priority {
            actions = leaveQueue(id) + start(queue?.enqueue(id, group: .local, priority: priority) ?? [])
        }
        return actions + probeNext()
    }

    private mutating func probeNext() -> [Action] {
        while !isProbing, let id = unprobed.popFirst() {
            guard let entry = entries[id], entry.isWaiting else { continue }
            isProbing = true
            return [.probe(id, entry.key)]
        }
        return []
    }

    private mutating func leaveQueue(_ id: EntryID) -> [Action] { start(queue?.leave(id) ?? []) }

    private mutating func start(_ ids: [EntryID]) -> [Action] {
        ids.compactMap { id in
            if entries[id]?.isWaiting == true { entries[id]?.isWaiting = false }
            return leader(of: id).map { .start(id, leader: $0) }
        }
    }
}

/// The subscribers of one entry, and their demand together.
struct Subscribers {
    private var demands: [Int: LoadDemand] = [:]
    /// The number of subscribers for each priority, from the lowest, and the number of those that request previews.
    private var counts = SIMD4<Int>()
    private static let previews = 3

    init(_ subscriber: Int, _ demand: LoadDemand) { set(demand, of: subscriber) }

    var count: Int { demands.count }
    /// In ascending order of their numbers, which is the order of their arrival.
    var all: [Int] { demands.keys.sorted() }
    var first: Int? { demands.keys.min() }

    /// The highest priority, and previews if any subscriber requests them.
    var demand: LoadDemand {
        let priority = LoadPriority.allCases.last { counts[$0.index] > 0 }
        return LoadDemand(priority: priority ?? .low, wantsPreviews: counts[Self.previews] > 0)
    }

    func demand(of subscriber: Int) -> LoadDemand? { demands[subscriber] }

    /// Changes the demand of a subscriber, or adds it.
    mutating func set(_ demand: LoadDemand, of subscriber: Int) {
        count(demands.updateValue(demand, forKey: subscriber), -1)
        count(demand, 1)
    }

    mutating func remove(_ subscriber: Int) { count(demands.removeValue(forKey: subscriber), -1) }

    private mutating func count(_ demand: LoadDemand?, _ change: Int) {
        guard let demand else { return }
        counts[demand.priority.index] += change
        if demand.wantsPreviews { counts[Self.previews] += change }
    }
}
