/// Which requests of which prefetches wait and which are under way: no more than `limit` at a time.
///
/// A pure value that takes events and returns what is to be done; `PrefetchQueue` does it. The more urgent prefetch goes
/// first, and of those alike the one that was begun first.
struct PrefetchState {
    typealias Token = Int

    /// One load: of a request of a prefetch, known by its place.
    struct Load: Hashable {
        let token: Token
        let place: Int
    }

    enum Outcome: CaseIterable {
        case finished, skipped, failed
    }

    enum Action: Equatable {
        case start(Load, LoadPriority)
        case setPriority(Load, LoadPriority)
        case cancel(Load)
        case report(Token, PrefetchProgress)
        /// The prefetch is over. Each is named once, ever; nothing of it comes behind.
        case end(Token, PrefetchProgress, isCancelled: Bool)
    }

    private struct Prefetch {
        /// How many requests each load does for: equal ones are loaded once (B74).
        let weights: [Int]
        var priority: LoadPriority
        var progress: PrefetchProgress
        /// The next load to start.
        var next = 0
        var running: Set<Int> = []
    }

    private var prefetches: [Token: Prefetch] = [:]
    /// Those that have loads to start, first come first, by their urgency.
    private var waiting: [LoadPriority: [Token]] = [:]
    /// What was started and has not ended, that of cancelled prefetches too: it takes a place until it has ended.
    private var running: Set<Load> = []
    private var nextToken = 0
    private(set) var limit: Int
    private(set) var isPaused = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Loads under way.
    var runningCount: Int { running.count }

    /// Prefetches that have not ended.
    var tokens: [Token] { prefetches.keys.sorted() }

    /// The token of the next prefetch.
    mutating func makeToken() -> Token {
        nextToken += 1
        return nextToken
    }

    /// A prefetch of different requests, each of which was given so many times. One of none ends at once (X186).
    mutating func begin(_ token: Token, weights: [Int], _ priority: LoadPriority) -> [Action] {
        let progress = PrefetchProgress(total: weights.reduce(0, +))
        guard !weights.isEmpty else { return [.end(token, progress, isCancelled: false)] }
        prefetches[token] = Prefetch(weights: weights, priority: priority, progress: progress)
        waiting[priority, default: []].append(token)
        return start()
    }

    /// A load that was started has ended, and gives its place to the next.
    mutating func end(_ load: Load, _ outcome: Outcome) -> [Action] {
        guard running.remove(load) != nil else { return [] }
        guard var prefetch = prefetches[load.token] else { return start() }
        prefetch.running.remove(load.place)
        let weight = prefetch.weights[load.place]
        switch outcome {
        case .finished: prefetch.progress.finished += weight
        case .skipped: prefetch.progress.skipped += weight
        case .failed: prefetch.progress.failed += weight
        }
        prefetches[load.token] = prefetch
        var actions = [Action.report(load.token, prefetch.progress)]
        if prefetch.progress.completed == prefetch.progress.total {
            prefetches[load.token] = nil
            actions.append(.end(load.token, prefetch.progress, isCancelled: false))
        }
        return actions + start()
    }

    /// Ends a prefetch at once, and its loads (X188 is not copied: it ends with a summary).
    mutating func cancel(_ token: Token) -> [Action] {
        guard let prefetch = prefetches.removeValue(forKey: token) else { return [] }
        waiting[prefetch.priority]?.removeAll { $0 == token }
        let loads = prefetch.running.sorted().map { Action.cancel(Load(token: token, place: $0)) }
        return [.end(token, prefetch.progress, isCancelled: true)] + loads
    }

    /// Makes a prefetch more, or less, urgent: its loads under way, and those to come (B75).
    mutating func setPriority(_ token: Token, _ priority: LoadPriority) -> [Action] {
        guard let prefetch = prefetches[token], prefetch.priority != priority else { return [] }
        prefetches[token]?.priority = priority
        if prefetch.next < prefetch.weights.count {
            waiting[prefetch.priority]?.removeAll { $0 == token }
            waiting[priority, default: []].append(token)
            // Tokens grow: those alike stay in the order in which they were begun.
            waiting[priority]?.sort()
        }
        return prefetch.running.sorted().map { .setPriority(Load(token: token, place: $0), priority) }
    }

    /// Another limit, at least 1. Where it is lower, what is under way goes on.
    mutating func setLimit(_ limit: Int) -> [Action] {
        self.limit = max(1, limit)
        return start()
    }

    /// Starts nothing more, or goes on. What is under way goes on either way.
    mutating func setPaused(_ isPaused: Bool) -> [Action] {
        self.isPaused = isPaused
        return start()
    }

    func priority(of token: Token) -> LoadPriority? { prefetches[token]?.priority }

    private mutating func start() -> [Action] {
        var actions: [Action] = []
        while !isPaused, running.count < limit, let token = nextWaiting(), var prefetch = prefetches[token] {
            let load = Load(token: token, place: prefetch.next)
            running.insert(load)
            prefetch.running.insert(load.place)
            prefetch.next += 1
            if prefetch.next == prefetch.weights.count { waiting[prefetch.priority]?.removeFirst() }
            prefetches[token] = prefetch
            actions.append(.start(load, prefetch.priority))
        }
        return actions
    }

    private func nextWaiting() -> Token? {
        LoadPriority.allCases.reversed().lazy.compactMap { waiting[$0]?.first }.first
    }
}
