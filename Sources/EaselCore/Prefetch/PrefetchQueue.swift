import Synchronization

/// Runs a `PrefetchState`: its loads, and those who watch.
///
/// What is to be done is done by one caller at a time, in order and outside the lock: whoever comes meanwhile adds to it
/// and goes. So no count is told behind a later one, and a picture in memory, which ends its load before the call that
/// starts it returns, is no recursion.
final class PrefetchQueue: Sendable {
    typealias Token = PrefetchState.Token
    typealias Load = PrefetchState.Load
    typealias Observer = @Sendable (PrefetchEvent) -> Void

    /// What is known of one prefetch for as long as somebody may ask.
    private struct Report {
        let requests: [ImageRequest]
        let levels: CacheLevels
        var progress: PrefetchProgress
        var failures: [PrefetchSummary.Failure] = []
        var summary: PrefetchSummary?
        var observers: [Int: Observer] = [:]
        /// Whether its `PrefetchTask` is there.
        var isHeld = true
    }

    private enum Effect {
        case start(Load, LoadPriority, ImageRequest, CacheLevels)
        case setPriority(PrefetchLoad, LoadPriority)
        case cancel(PrefetchLoad)
        case tell([Observer], PrefetchEvent)
    }

    private struct State {
        var core: PrefetchState
        var reports: [Token: Report] = [:]
        var loads: [Load: PrefetchLoad] = [:]
        var nextObserver = 0
        var effects: [Effect] = []
        var isDelivering = false
    }

    private let manager: ImageManager
    private let state: Mutex<State>

    init(manager: ImageManager, limit: Int) {
        self.manager = manager
        state = Mutex(State(core: PrefetchState(limit: limit)))
    }

    /// Nobody can watch any more.
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
        var (different, weights): ([ImageRequest], [Int]) = ([], [])
        for request in requests {
            if let place = places[request] {
                weights[place] += 1
            } else {
                places[request] = different.count
                different.append(request)
                weights.append(1)
            }
        }
        return change { [different, weights] state in
            let token = state.core.makeToken()
            state.reports[token] = Report(
                requests: different, levels: levels, progress: PrefetchProgress(total: requests.count))
            let actions = state.core.begin(token, weights: weights, priority)
            Self.follow(actions, &state)
            return token
        }
    }

    func cancel(_ token: Token) { update { $0.cancel(token) } }

    func cancelAll() {
        update { core in core.tokens.flatMap { core.cancel($0) } }
    }

    func priority(of token: Token) -> LoadPriority? { state.withLock { $0.core.priority(of: token) } }

    func setPriority(_ token: Token, _ priority: LoadPriority) { update { $0.setPriority(token, priority) } }

    /// Tells `observer` how far the prefetch is, and what comes.
    func observe(_ token: Token, _ observer: @escaping Observer) -> Int {
        change { state in
            state.nextObserver += 1
            guard let report = state.reports[token] else { return state.nextObserver }
            state.effects.append(.tell([observer], .progress(report.progress)))
            if let summary = report.summary {
                state.effects.append(.tell([observer], .ended(summary)))
            } else {
                state.reports[token]?.observers[state.nextObserver] = observer
            }
            return state.nextObserver
        }
    }

    func remove(_ observer: Int, of token: Token) {
        state.withLock { _ = $0.reports[token]?.observers.removeValue(forKey: observer) }
    }

    /// The `PrefetchTask` is gone: nobody asks any more.
    func letGo(_ token: Token) {
        state.withLock { state in
            state.reports[token]?.isHeld = false
            if state.reports[token]?.summary != nil { state.reports[token] = nil }
        }
    }

    // MARK: - Doing what is to be done

    private func update(_ event: (inout PrefetchState) -> [PrefetchState.Action]) {
        change { state in Self.follow(event(&state.core), &state) }
    }

    private func change<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let (value, delivers) = state.withLock { state in
            let value = change(&state)
            defer { if !state.effects.isEmpty { state.isDelivering = true } }
            return (value, !state.isDelivering && !state.effects.isEmpty)
        }
        if delivers { deliver() }
        return value
    }

    private func deliver() {
        while true {
            let effects = state.withLock { state in
                defer { state.effects = [] }
                state.isDelivering = !state.effects.isEmpty
                return state.effects
            }
            guard !effects.isEmpty else { return }
            for effect in effects { perform(effect) }
        }
    }

    private static func follow(_ actions: [PrefetchState.Action], _ state: inout State) {
        for action in actions {
            switch action {
            case .start(let load, let priority):
                guard let report = state.reports[load.token] else { continue }
                state.effects.append(.start(load, priority, report.requests[load.place], report.levels))
            case .setPriority(let load, let priority):
                if let running = state.loads[load] { state.effects.append(.setPriority(running, priority)) }
            case .cancel(let load):
                if let running = state.loads[load] { state.effects.append(.cancel(running)) }
            case .report(let token, let progress):
                state.reports[token]?.progress = progress
                let observers = state.reports[token]?.observers.values.map { $0 } ?? []
                state.effects.append(.tell(observers, .progress(progress)))
            case .end(let token, let progress, let isCancelled):
                guard let report = state.reports[token] else { continue }
                let summary = PrefetchSummary(
                    progress: progress, isCancelled: isCancelled, failures: report.failures)
                state.reports[token]?.summary = summary
                state.reports[token]?.observers = [:]
                if !report.isHeld { state.reports[token] = nil }
                state.effects.append(.tell(Array(report.observers.values), .ended(summary)))
            }
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .start(let id, let priority, let request, let levels):
            let load = PrefetchLoad(request, levels, priority)
            // Of what happened since it was to be started only these two matter.
            let wanted = state.withLock { state in
                state.loads[id] = load
                return state.core.priority(of: id.token)
            }
            if let wanted { load.setPriority(wanted) } else { load.cancel() }
            load.start(manager) { [weak self] in self?.end(id, $0) }
        case .setPriority(let load, let priority): load.setPriority(priority)
        case .cancel(let load): load.cancel()
        case .tell(let observers, let event):
            for observer in observers { observer(event) }
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
