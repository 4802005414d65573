/// Which work is under way, and who waits for it: one piece of work a key, however many subscribers.
///
/// A pure value that takes events and returns what is to be done; `Sharing` does it. Work is known by a number of its
/// own, so that news of work that was given up cannot touch its successor under the same key (X126, X138 are not copied).
struct SharingState<Key: Hashable & Sendable, Value: Sendable> {
    typealias Outcome = Result<Value, ImageError>
    typealias Subscriber = Int
    typealias WorkID = Int

    enum Action {
        /// Begin the work that the first subscriber brought.
        case start(WorkID, leader: Subscriber)
        /// Nobody waits any more.
        case cancel(WorkID)
        /// What those who wait want together has changed.
        case change(WorkID)
        /// Pass news on.
        case update(LoadUpdate, [Subscriber])
        /// End the wait of these. Each is named once, ever (P003, B62).
        indirect case finish(Outcome, [Subscriber])
    }

    private struct Work {
        let key: Key
        var subscribers: [(id: Subscriber, demand: LoadDemand)]
        /// Whether it was begun anew after its leader failed.
        var isRetry = false
        var progress: LoadProgress?
        var preview: DecodedImage?
        var file: ArrivingFile?

        /// What all want together: the highest priority (B60), and previews where anybody does.
        var demand: LoadDemand {
            subscribers.reduce(LoadDemand(priority: .low)) { $0.union($1.demand) }
        }
    }

    private var works: [WorkID: Work] = [:]
    private var open: [Key: WorkID] = [:]
    private var places: [Subscriber: WorkID] = [:]
    private var nextWork = 0

    /// Pieces of work under way.
    var count: Int { works.count }

    /// Somebody wants `key`: joins the work for it, and learns what it has reached (B61), or begins it.
    mutating func join(_ subscriber: Subscriber, _ key: Key, demand: LoadDemand) -> [Action] {
        guard let id = open[key], var work = works[id] else {
            return begin(Work(key: key, subscribers: [(subscriber, demand)]))
        }
        let before = work.demand
        work.subscribers.append((subscriber, demand))
        works[id] = work
        places[subscriber] = id
        var actions: [Action] = []
        if let progress = work.progress { actions.append(.update(.progress(progress), [subscriber])) }
        if let file = work.file { actions.append(.update(.arriving(file), [subscriber])) }
        if let preview = work.preview { actions.append(.update(.preview(preview), [subscriber])) }
        if work.demand != before { actions.append(.change(id)) }
        return actions
    }

    /// Somebody does not want it any more: only its own wait ends (S164, B63). The last one takes the work along (B59).
    mutating func leave(_ subscriber: Subscriber) -> [Action] {
        guard let id = places.removeValue(forKey: subscriber), var work = works[id] else { return [] }
        let before = work.demand
        work.subscribers.removeAll { $0.id == subscriber }
        works[id] = work
        let left: [Action] = [.finish(.failure(.cancelled), [subscriber])]
        if work.subscribers.isEmpty {
            close(id)
            return left + [.cancel(id)]
        }
        return work.demand == before ? left : left + [.change(id)]
    }

    /// Somebody wants something else of it: is in more, or less, of a hurry (B60).
    mutating func change(_ subscriber: Subscriber, _ demand: LoadDemand) -> [Action] {
        guard let id = places[subscriber], var work = works[id],
            let index = work.subscribers.firstIndex(where: { $0.id == subscriber })
        else { return [] }
        let before = work.demand
        work.subscribers[index].demand = demand
        works[id] = work
        return work.demand == before ? [] : [.change(id)]
    }

    /// The work has news.
    mutating func update(_ id: WorkID, _ update: LoadUpdate) -> [Action] {
        guard works[id] != nil else { return [] }
        switch update {
        case .progress(let progress): works[id]?.progress = progress
        case .preview(let preview): works[id]?.preview = preview
        case .arriving(let file): works[id]?.file = file
        case .cached: break
        }
        return [.update(update, works[id]?.subscribers.map(\.id) ?? [])]
    }

    /// The work has ended. All who wait get the outcome; but where it failed in a way that may pass, and others than
    /// its leader wait, they get one new try, led by the first of them (B62).
    mutating func finish(_ id: WorkID, _ outcome: Outcome) -> [Action] {
        guard let work = works[id] else { return [] }
        close(id)
        for subscriber in work.subscribers { places[subscriber.id] = nil }
        if case .failure(let error) = outcome, error.mayPass, !work.isRetry, work.subscribers.count > 1 {
            let followers = Array(work.subscribers.dropFirst())
            return [.finish(outcome, [work.subscribers[0].id])]
                + begin(Work(key: work.key, subscribers: followers, isRetry: true))
        }
        return [.finish(outcome, work.subscribers.map(\.id))]
    }

    /// What those who wait for a piece of work want together.
    func demand(of id: WorkID) -> LoadDemand? { works[id]?.demand }

    private mutating func begin(_ work: Work) -> [Action] {
        nextWork += 1
        works[nextWork] = work
        open[work.key] = nextWork
        for subscriber in work.subscribers { places[subscriber.id] = nextWork }
        return [.start(nextWork, leader: work.subscribers[0].id)]
    }

    /// From here on nobody can join: who comes now begins anew (B64).
    private mutating func close(_ id: WorkID) {
        guard let work = works.removeValue(forKey: id) else { return }
        if open[work.key] == id { open[work.key] = nil }
    }
}
