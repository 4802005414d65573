import Synchronization

/// The shell of a `PrefetchState`: its loads, and its observers.
///
/// Effects are performed by one caller at a time, in order and outside the lock; other callers only add to them. So
/// events stay in order, and an image in memory, whose load ends inside the call that starts it, causes no recursion.
final class PrefetchQueue: Sendable {
    typealias Token = PrefetchState.Token
    typealias Load = PrefetchState.Load
    typealias Observer = @Sendable (PrefetchEvent) -> Void
    private typealias Effect = @Sendable (PrefetchQueue) -> Void

    /// One prefetch, for as long as its `PrefetchTask` exists or its loads run.
    private struct Report {
        let requests: [ImageRequest]
        let levels: CacheLevels
        var progress: PrefetchProgress
        var failures: [PrefetchSummary.Failure] = []
        var summary: PrefetchSummary?
        var observers: [Int: Observer] = [:]
        var hasTask = true
    }

    private struct State {
        var core: PrefetchState
        var reports: [Token: Report] = [:]
        var loads: [Load: PrefetchLoad] = [:]
        var nextObserver = 0
        var effects: [Effect] = []
        var isPerforming = false
    }

    private let manager: ImageManager
    private let state: Mutex<State>

    init(manager: ImageManager, limit: Int) {
        self.manager = manager
        state = Mutex(State(core: PrefetchState(limit: limit)))
    }

    deinit {
        for load in state.withLock({ Array($0.loads.values) }) { load.cancel() }
    }

    var limit: Int {
        get { state.withLock { $0.core.limit } }
        set { update { $0.setLimit(newValue) } }
    }

    var isPaused: Bool {
        get { state.withLock { $0.core.isPaused } }
        set { update { $0.setPaused(newValue) } }
    }

    func begin(_ requests: [ImageRequest], _ levels: CacheLevels, _ priority: LoadPriority) -> Token {
        var places: [ImageRequest: Int] = [:]
        var (distinct, weights): ([ImageRequest], [Int]) = ([], [])
        for request in requests {
            if let place = places[request] {
                weights[place] += 1
            } else {
                places[request] = distinct.count
                distinct.append(request)
                weights.append(1)
            }
        }
        return change { [distinct, weights] state in
            let token = state.core.makeToken()
            state.reports[token] = Report(
                requests: distinct, levels: levels, progress: PrefetchProgress(total: requests.count))
            Self.follow(state.core.begin(token, weights: weights, priority), &state)
            return token
        }
    }

    func cancel(_ token: Token) { update { $0.cancel(token) } }

    func cancelAll() {
        update { core in core.tokens.flatMap { core.cancel($0) } }
    }

    func priority(of token: Token) -> LoadPriority? { state.withLock { $0.core.priority(of: token) } }

    func setPriority(_ token: Token, _ priority: LoadPriority) { update { $0.setPriority(token, priority) } }

    /// Sends `observer` the present progress, and all events to come.
    func observe(_ token: Token, _ observer: @escaping Observer) -> Int {
        change { state in
            state.nextObserver += 1
            guard let report = state.reports[token] else { return state.nextObserver }
            Self.send(.progress(report.progress), to: [observer], &state)
            if let summary = report.summary {
                Self.send(.ended(summary), to: [observer], &state)
            } else {
                state.reports[token]?.observers[state.nextObserver] = observer
            }
            return state.nextObserver
        }
    }

    func removeObserver(_ observer: Int, of token: Token) {
        state.withLock { _ = $0.reports[token]?.observers.removeValue(forKey: observer) }
    }

    /// Forgets a prefetch without a `PrefetchTask` once it has ended.
    func release(_ token: Token) {
        state.withLock { state in
            state.reports[token]?.hasTask = false
            if state.reports[token]?.summary != nil { state.reports[token] = nil }
        }
    }

    // MARK: - Effects

    private func update(_ event: (inout PrefetchState) -> [PrefetchState.Action]) {
        change { state in Self.follow(event(&state.core), &state) }
    }

    private func change<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let (value, performs) = state.withLock { state in
            let value = change(&state)
            defer { if !state.effects.isEmpty { state.isPerforming = true } }
            return (value, !state.isPerforming && !state.effects.isEmpty)
        }
        if performs { performEffects() }
        return value
    }

    private func performEffects() {
        while true {
            let effects = state.withLock { state in
                defer { state.effects = [] }
                state.isPerforming = !state.effects.isEmpty
                return state.effects
            }
            guard !effects.isEmpty else { return }
            for effect in effects { effect(self) }
        }
    }

    private static func send(_ event: PrefetchEvent, to observers: [Observer], _ state: inout State) {
        state.effects.append { _ in
            for observer in observers { observer(event) }
        }
    }

    private static func follow(_ actions: [PrefetchState.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .start(let load, let priority):
                guard let report = state.reports[load.token] else { continue }
                let work = PrefetchLoad(report.requests[load.place], report.levels, priority)
                state.loads[load] = work
                state.effects.append { queue in
                    work.start(queue.manager) { [weak queue] in queue?.end(load, $0) }
                }
            case .setPriority(let load, let priority):
                guard let work = state.loads[load] else { continue }
                state.effects.append { _ in work.setPriority(priority) }
            case .cancel(let load):
                guard let work = state.loads[load] else { continue }
                state.effects.append { _ in work.cancel() }
            case .report(let token, let progress):
                state.reports[token]?.progress = progress
                let observers = state.reports[token]?.observers.values.map { $0 } ?? []
                send(.progress(progress), to: observers, &state)
            case .end(let token, let progress, let isCancelled):
                guard let report = state.reports[token] else { continue }
                let summary = PrefetchSummary(
                    progress: progress, isCancelled: isCancelled, failures: report.failures)
                state.reports[token]?.summary = summary
                state.reports[token]?.observers = [:]
                if !report.hasTask { state.reports[token] = nil }
                send(.ended(summary), to: Array(report.observers.values), &state)
            }
        }
    }

    private func end(_ load: Load, _ outcome: Result<ImageSource, ImageError>) {
        change { state in
            state.loads[load] = nil
            let result: PrefetchState.Outcome
            switch outcome {
            case .success(let source): result = [.memory, .disk].contains(source) ? .skipped : .finished
            case .failure(let error):
                result = .failed
                if let report = state.reports[load.token], report.summary == nil {
                    let failure = PrefetchSummary.Failure(request: report.requests[load.place], error: error)
                    state.reports[load.token]?.failures.append(failure)
                }
            }
            Self.follow(state.core.end(load, result), &state)
        }
    }
}

/// The state machine of a prefetcher: it takes events and returns the actions to perform. At most `limit` loads run at
/// a time, of the prefetch with the highest priority first, and among equals of the one that began first.
struct PrefetchState {
    typealias Token = Int

    /// One load: the request at a place of a prefetch.
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
        /// The prefetch has ended. Its last action.
        case end(Token, PrefetchProgress, isCancelled: Bool)
    }

    private struct Prefetch {
        /// The number of equal requests that each load serves.
        let weights: [Int]
        var priority: LoadPriority
        var progress: PrefetchProgress
        /// The next load to start.
        var next = 0
        var running: Set<Int> = []
    }

    private var prefetches: [Token: Prefetch] = [:]
    /// Prefetches that have loads to start, in the order in which they began, by priority.
    private var waiting: [LoadPriority: [Token]] = [:]
    /// Loads in flight, those of cancelled prefetches too.
    private var running: Set<Load> = []
    private var nextToken = 0
    private(set) var limit: Int
    private(set) var isPaused = false

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// The number of loads in flight.
    var runningCount: Int { running.count }

    /// Prefetches that have not ended.
    var tokens: [Token] { prefetches.keys.sorted() }

    /// The token of the next prefetch.
    mutating func makeToken() -> Token {
        nextToken += 1
        return nextToken
    }

    /// Begins a prefetch of distinct requests, with the number of times that each was given. One of none ends at once.
    mutating func begin(_ token: Token, weights: [Int], _ priority: LoadPriority) -> [Action] {
        let progress = PrefetchProgress(total: weights.reduce(0, +))
        guard !weights.isEmpty else { return [.end(token, progress, isCancelled: false)] }
        prefetches[token] = Prefetch(weights: weights, priority: priority, progress: progress)
        waiting[priority, default: []].append(token)
        return start()
    }

    /// Ends a load, whose place the next one takes.
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

    /// Ends a prefetch at once, and cancels its loads.
    mutating func cancel(_ token: Token) -> [Action] {
        guard let prefetch = prefetches.removeValue(forKey: token) else { return [] }
        waiting[prefetch.priority]?.removeAll { $0 == token }
        let loads = prefetch.running.sorted().map { Action.cancel(Load(token: token, place: $0)) }
        return [.end(token, prefetch.progress, isCancelled: true)] + loads
    }

    /// Changes the priority of a prefetch, for its loads in flight and those to come.
    mutating func setPriority(_ token: Token, _ priority: LoadPriority) -> [Action] {
        guard let prefetch = prefetches[token], prefetch.priority != priority else { return [] }
        prefetches[token]?.priority = priority
        if prefetch.next < prefetch.weights.count {
            waiting[prefetch.priority]?.removeAll { $0 == token }
            waiting[priority, default: []].append(token)
            // Tokens grow, so this is the order in which they began.
            waiting[priority]?.sort()
        }
        return prefetch.running.sorted().map { .setPriority(Load(token: token, place: $0), priority) }
    }

    /// Sets the limit, at least 1. Loads in flight continue.
    mutating func setLimit(_ limit: Int) -> [Action] {
        self.limit = max(1, limit)
        return start()
    }

    /// Pauses or resumes. Loads in flight continue.
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
