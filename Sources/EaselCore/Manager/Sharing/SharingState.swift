/// Which work is under way, and who waits for it: one piece of work a key, however many subscribers.
///
/// A pure value that takes events and returns what is to be done; `Sharing` does it. Work is known by a number of its
/// own, so that news of work that was given up cannot touch its successor under the same key (X126, X138 are not copied).
///
/// Only so many pieces go on at a time. The others stand in line, where each is a few hundred bytes and no task: ten
/// thousand loads can be asked for, and given up, at next to no cost. So that what is at hand does not wait for what has
/// to come from far, those in line are looked at one after the other, and what is at hand has a line of its own.
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, ImageError>
    typealias Subscriber = Int
    typealias WorkID = Int

    enum Action {
        /// Begin the work that this subscriber brought.
        case start(WorkID, leader: Subscriber)
        /// Find out whether this piece of work is at hand, and tell by `looked`. One at a time.
        case look(Look)
        /// Nobody waits any more.
        case cancel(WorkID)
        /// What those who wait want together has changed.
        case change(WorkID)
        /// Tell this one that a server has been asked.
        case tellAsked(Subscriber)
        /// Pass news on.
        case update(LoadUpdate, [Subscriber])
        /// End the wait of these. Each is named once, ever (P003, B62).
        indirect case finish(Outcome, [Subscriber])
    }

    struct Look: Sendable {
        let id: WorkID
        let key: Key
    }

    private struct Work {
        let key: Key
        var subscribers: SubscriberList
        /// Whether it was begun anew after its leader failed.
        var isRetry = false
        var isInLine = false
        var isAsked = false
        var progress: LoadProgress?
        /// Boxed: work is looked at at every step, and only some of it has one.
        var preview: Boxed<DecodedImage>?
        var file: ArrivingFile?
    }

    /// The places in the line, for what has to be fetched and for what is at hand.
    private enum Group {
        static var far: String { "far" }
        static var atHand: String { "at hand" }
    }

    private var works: [WorkID: Work] = [:]
    private var open: [Key: WorkID] = [:]
    private var places: [Subscriber: WorkID] = [:]
    private var nextWork = 0
    private var line: AdmissionQueue<WorkID>?
    private var unseen = JobQueue<WorkID>()
    private var isLooking = false

    /// - Parameter limit: how many pieces of work go on at a time, and as many again that are at hand.
    init(limit: Int = .max) {
        if limit < .max { line = AdmissionQueue(limit: .max, limitPerGroup: limit) }
    }

    /// Pieces of work under way or in line.
    var count: Int { works.count }

    /// Somebody wants `key`: joins the work for it, and learns what it has reached (B61), or begins it.
    ///
    /// - Parameter mayWait: `false` for who is part of another piece of work, which would wait for itself in line.
    mutating func join(
        _ subscriber: Subscriber, _ key: Key, demand: LoadDemand, mayWait: Bool = true
    ) -> [Action] {
        guard let id = open[key], let place = works.index(forKey: id) else {
            return begin(Work(key: key, subscribers: SubscriberList(subscriber, demand)), mayWait: mayWait)
        }
        let before = works.values[place].subscribers.demand
        works.values[place].subscribers.add(subscriber, demand)
        places[subscriber] = id
        let work = works.values[place]
        var actions: [Action] = []
        if work.isAsked { actions.append(.tellAsked(subscriber)) }
        if let progress = work.progress { actions.append(.update(.progress(progress), [subscriber])) }
        if let file = work.file { actions.append(.update(.arriving(file), [subscriber])) }
        if let preview = work.preview { actions.append(.update(.preview(preview.value), [subscriber])) }
        if !mayWait, work.isInLine { return actions + leaveLine(id) + start([id]) }
        actions.append(contentsOf: changed(id, from: before))
        return actions
    }

    /// Somebody does not want it any more: only its own wait ends (S164, B63). The last one takes the work along (B59).
    mutating func leave(_ subscriber: Subscriber) -> [Action] {
        guard let consequences = remove(subscriber) else { return [] }
        return [.finish(.failure(.cancelled), [subscriber])] + consequences
    }

    /// All of these leave, and only then does what is in line begin: it may be theirs too.
    mutating func leave(_ subscribers: [Subscriber]) -> [Action] {
        line?.hold()
        var left: [Subscriber] = []
        left.reserveCapacity(subscribers.count)
        var consequences: [Action] = []
        for subscriber in subscribers {
            guard let more = remove(subscriber) else { continue }
            left.append(subscriber)
            consequences += more
        }
        consequences += start(line?.release() ?? [])
        return left.isEmpty ? consequences : [.finish(.failure(.cancelled), left)] + consequences
    }

    /// Takes somebody out. Returns what follows of it for the work; `nil` where there was nobody to take out.
    private mutating func remove(_ subscriber: Subscriber) -> [Action]? {
        guard let id = places.removeValue(forKey: subscriber), let place = works.index(forKey: id) else { return nil }
        let before = works.values[place].subscribers.demand
        works.values[place].subscribers.remove(subscriber)
        guard works.values[place].subscribers.isEmpty else { return changed(id, from: before) }
        return works.values[place].isInLine ? close(id) : [.cancel(id)] + close(id)
    }

    /// Somebody wants something else of it: is in more, or less, of a hurry (B60).
    mutating func change(_ subscriber: Subscriber, _ demand: LoadDemand) -> [Action] {
        guard let id = places[subscriber], let before = self.demand(of: id) else { return [] }
        works[id]?.subscribers.change(subscriber, demand)
        return changed(id, from: before)
    }

    /// The work has news. Returns who is to hear it.
    mutating func note(_ update: LoadUpdate, of id: WorkID) -> [Subscriber] {
        guard let place = works.index(forKey: id) else { return [] }
        switch update {
        case .progress(let progress): works.values[place].progress = progress
        case .preview(let preview): works.values[place].preview = Boxed(preview)
        case .arriving(let file): works.values[place].file = file
        case .cached: break
        }
        return works.values[place].subscribers.all
    }

    /// The work is about to ask a server. Returns whose wish that has to be.
    mutating func ask(_ id: WorkID) -> [Subscriber] {
        works.change(id) { work in
            work.isAsked = true
            return work.subscribers.all
        } ?? []
    }

    /// None of `asked` wants it any more. Returns whether nobody else does: from then on nobody can join.
    mutating func giveUp(_ id: WorkID, wantedByNoneOf asked: [Subscriber]) -> Bool {
        guard let work = works[id] else { return true }
        guard work.subscribers.all.allSatisfy(asked.contains) else { return false }
        if open[work.key] == id { open[work.key] = nil }
        return true
    }

    /// The work has ended. All who wait get the outcome; but where it failed in a way that may pass, and others than
    /// its leader wait, they get one new try, led by the first of them (B62).
    mutating func finish(_ id: WorkID, _ outcome: Outcome) -> [Action] {
        guard let work = works[id] else { return [] }
        let next = close(id)
        let subscribers = work.subscribers.all
        for subscriber in subscribers { places[subscriber] = nil }
        if case .failure(let error) = outcome, error.mayPass, !work.isRetry, let leader = subscribers.first,
            let followers = work.subscribers.without(leader)
        {
            return [.finish(outcome, [leader])]
                + begin(Work(key: work.key, subscribers: followers, isRetry: true), mayWait: false) + next
        }
        return [.finish(outcome, subscribers)] + next
    }

    /// What those who wait for a piece of work want together.
    func demand(of id: WorkID) -> LoadDemand? { works[id]?.subscribers.demand }

    private mutating func begin(_ work: Work, mayWait: Bool) -> [Action] {
        nextWork += 1
        let id = nextWork
        var work = work
        work.isInLine = mayWait && line?.admitAtOnce(id, group: Group.far) == false
        open[work.key] = id
        for subscriber in work.subscribers.all { places[subscriber] = id }
        works[id] = work
        guard work.isInLine else { return start([id]) }
        let actions = start(line?.enqueue(id, group: Group.far, priority: work.subscribers.demand.priority) ?? [])
        guard actions.isEmpty || works[id]?.isInLine == true else { return actions }
        unseen.append(id)
        return actions + look()
    }

    private mutating func changed(_ id: WorkID, from before: LoadDemand) -> [Action] {
        guard let demand = demand(of: id), demand != before else { return [] }
        if works[id]?.isInLine == true { return start(line?.reprioritise(id, demand.priority) ?? []) }
        return [.change(id)]
    }

    /// From here on nobody can join: who comes now begins anew (B64).
    private mutating func close(_ id: WorkID) -> [Action] {
        guard let work = works.removeValue(forKey: id) else { return [] }
        if let place = open.index(forKey: work.key), open.values[place] == id { open.remove(at: place) }
        return leaveLine(id)
    }
}

// MARK: - The line

extension SharingState {
    /// It is known whether a piece of work is at hand: then it waits for no other that has to be fetched.
    mutating func looked(_ id: WorkID, isAtHand: Bool) -> [Action] {
        isLooking = false
        var actions: [Action] = []
        if isAtHand, works[id]?.isInLine == true { actions = leaveLine(id) + enqueue(id, Group.atHand) }
        return actions + look()
    }

    /// Looks at the next, one at a time.
    private mutating func look() -> [Action] {
        while !isLooking, let id = unseen.takeFirst() {
            guard let place = works.index(forKey: id), works.values[place].isInLine else { continue }
            isLooking = true
            return [.look(Look(id: id, key: works.values[place].key))]
        }
        return []
    }

    private mutating func enqueue(_ id: WorkID, _ group: String) -> [Action] {
        let priority = demand(of: id)?.priority ?? .normal
        return start(line?.enqueue(id, group: group, priority: priority) ?? [])
    }

    private mutating func leaveLine(_ id: WorkID) -> [Action] { start(line?.leave(id) ?? []) }

    private mutating func start(_ ids: [WorkID]) -> [Action] {
        ids.compactMap { id in
            guard let place = works.index(forKey: id) else { return nil }
            works.values[place].isInLine = false
            return works.values[place].subscribers.first.map { .start(id, leader: $0) }
        }
    }
}
