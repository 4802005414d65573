import Synchronization

/// The loads of a prefetcher: at most `limit` at a time, those of the prefetch with the highest priority first, and
/// among equal ones those of the prefetch that began first.
final class PrefetchQueue: Sendable {
    private struct Prefetch {
        let report: PrefetchReport
        let levels: CacheLevels
        var priority: LoadPriority
        /// The index of the next request to load.
        var next = 0
        /// The loads in flight. A load that is being started has no value yet.
        var loads: [Int: PrefetchLoad?] = [:]
    }

    private struct State {
        /// The prefetches that have not ended, by their numbers.
        var prefetches: [Int: Prefetch] = [:]
        var lastNumber = 0
        var limit: Int
        var isPaused = false
        /// The number of loads in flight, with those of cancelled prefetches.
        var runningCount = 0
        var isStarting = false

        /// Takes the next load, or ends starting if there is none.
        mutating func takeNext() -> (number: Int, prefetch: Prefetch)? {
            let waiting = prefetches.lazy.filter { $0.value.next < $0.value.report.requests.count }
            guard !isPaused, runningCount < limit,
                let next = waiting.max(by: { ($0.value.priority, $1.key) < ($1.value.priority, $0.key) })
            else {
                isStarting = false
                return nil
            }
            runningCount += 1
            prefetches[next.key]?.loads.updateValue(nil, forKey: next.value.next)
            prefetches[next.key]?.next += 1
            return (next.key, next.value)
        }
    }

    private let manager: ImageManager
    private let state: Mutex<State>

    init(manager: ImageManager, limit: Int) {
        self.manager = manager
        state = Mutex(State(limit: max(1, limit)))
    }

    deinit {
        for prefetch in state.withLock({ Array($0.prefetches.values) }) {
            prefetch.loads.values.forEach { $0?.cancel() }
        }
    }

    var limit: Int {
        get { state.withLock { $0.limit } }
        set {
            state.withLock { $0.limit = max(1, newValue) }
            startLoads()
        }
    }

    var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            state.withLock { $0.isPaused = newValue }
            startLoads()
        }
    }

    /// Begins a prefetch. Returns its number.
    func begin(_ report: PrefetchReport, _ levels: CacheLevels, _ priority: LoadPriority) -> Int {
        let number = state.withLock { state in
            state.lastNumber += 1
            if !report.requests.isEmpty {
                state.prefetches[state.lastNumber] = Prefetch(report: report, levels: levels, priority: priority)
            }
            return state.lastNumber
        }
        startLoads()
        return number
    }

    func cancel(_ number: Int) {
        if let prefetch = state.withLock({ $0.prefetches.removeValue(forKey: number) }) { cancel(prefetch) }
    }

    func cancelAll() {
        // All are taken before any is cancelled, so that the end of one does not start a load of the next.
        for prefetch in state.withLock({ exchange(&$0.prefetches, with: [:]) }).sorted(by: { $0.key < $1.key }) {
            cancel(prefetch.value)
        }
    }

    private func cancel(_ prefetch: Prefetch) {
        prefetch.report.cancel()
        for load in prefetch.loads.values { load?.cancel() }
    }

    func priority(of number: Int) -> LoadPriority? { state.withLock { $0.prefetches[number]?.priority } }

    func setPriority(_ number: Int, _ priority: LoadPriority) {
        let loads = state.withLock { state in
            state.prefetches[number]?.priority = priority
            return state.prefetches[number]?.loads.values.compactMap(\.self) ?? []
        }
        for load in loads { load.setPriority(priority) }
    }

    /// Starts loads while there is room for them. One caller at a time does so: an image in memory ends its load inside
    /// `start`, which would otherwise recurse.
    private func startLoads() {
        if state.withLock({ exchange(&$0.isStarting, with: true) }) { return }
        while let (number, prefetch) = state.withLock({ $0.takeNext() }) { start(prefetch.next, of: prefetch, number) }
    }

    private func start(_ index: Int, of prefetch: Prefetch, _ number: Int) {
        var request = prefetch.report.requests[index]
        request.priority = prefetch.priority
        let load = PrefetchLoad.start(request, to: prefetch.levels, manager) { [weak self, report = prefetch.report] in
            self?.end(index, of: report, number, $0)
        }
        // It may have ended already, and its prefetch may have another priority or be cancelled.
        let priority = state.withLock { state -> LoadPriority? in
            guard let current = state.prefetches[number], current.loads[index] != nil else { return nil }
            state.prefetches[number]?.loads[index] = load
            return current.priority
        }
        if let priority { load.setPriority(priority) } else { load.cancel() }
    }

    private func end(_ index: Int, of report: PrefetchReport, _ number: Int, _ result: Result<ImageSource, ImageError>)
    {
        let isLast = report.add(result, of: report.requests[index])
        state.withLock { state in
            state.runningCount -= 1
            state.prefetches[number]?.loads[index] = nil
            if isLast { state.prefetches[number] = nil }
        }
        startLoads()
    }
}

/// The progress of one prefetch, and its readers.
final class PrefetchReport: Sendable {
    private struct State {
        var progress: PrefetchProgress
        /// Not in `progress` until the end: each progress that a reader has not read yet would need a copy.
        var failures: [ImageRequest: ImageError] = [:]
        var isOver: Bool
        var streams: [AsyncStream<PrefetchProgress>.Continuation] = []
        var waiters: [CheckedContinuation<PrefetchProgress, Never>] = []
        /// Whether the streams have not received the progress yet.
        var isStale = false
        var isDelivering = false

        /// Returns what the streams receive next, or ends delivering if they have received it.
        mutating func takeDelivery() -> State? {
            isDelivering = exchange(&isStale, with: false)
            defer { if isDelivering, isOver { streams = [] } }
            return isDelivering ? self : nil
        }
    }

    /// The requests without duplicates.
    let requests: [ImageRequest]
    private let counts: [ImageRequest: Int]
    private let state: Mutex<State>

    init(_ requests: [ImageRequest]) {
        counts = requests.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var distinct = Set<ImageRequest>()
        self.requests = requests.filter { distinct.insert($0).inserted }
        state = Mutex(State(progress: PrefetchProgress(total: requests.count), isOver: requests.isEmpty))
    }

    /// Counts a load that has ended. Returns whether it was the last.
    func add(_ result: Result<ImageSource, ImageError>, of request: ImageRequest) -> Bool {
        let count = counts[request] ?? 1
        return update { state in
            switch result {
            case .success(.memory), .success(.disk): state.progress.skipped += count
            case .success: state.progress.finished += count
            case .failure(let error):
                state.progress.failed += count
                state.failures[request] = error
            }
            state.isOver = state.progress.completed == state.progress.total
        }
    }

    func cancel() {
        _ = update { state in
            state.progress.isCancelled = true
            state.isOver = true
        }
    }

    /// Changes the state, and reports the progress, unless the prefetch is over. Returns whether this has ended it.
    private func update(_ change: (inout State) -> Void) -> Bool {
        let ended = state.withLock { state -> State? in
            if state.isOver { return nil }
            change(&state)
            state.isStale = true
            guard state.isOver else { return nil }
            state.progress.failures = state.failures
            defer { state.waiters = [] }
            return state
        }
        deliver()
        guard let ended else { return false }
        for waiter in ended.waiters { waiter.resume(returning: ended.progress) }
        return true
    }

    /// Delivers the progress to the streams. One caller at a time does so, so that the numbers arrive in order, and
    /// outside of the lock: resuming a reader takes a lock of Swift's that is also held while a reader is cancelled.
    private func deliver() {
        if state.withLock({ exchange(&$0.isDelivering, with: true) }) { return }
        while let delivery = state.withLock({ $0.takeDelivery() }) {
            for stream in delivery.streams {
                stream.yield(delivery.progress)
                if delivery.isOver { stream.finish() }
            }
        }
    }

    /// Returns a stream that begins with the current progress and retains `owner`.
    func stream(retaining owner: PrefetchTask) -> AsyncStream<PrefetchProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.onTermination = { _ in withExtendedLifetime(owner) {} }
            let isOver = state.withLock { state in
                continuation.yield(state.progress)
                if !state.isOver { state.streams.append(continuation) }
                return state.isOver
            }
            if isOver { continuation.finish() }
        }
    }

    /// Waits for the end.
    func summary() async -> PrefetchProgress {
        await withCheckedContinuation { continuation in
            let summary = state.withLock { state -> PrefetchProgress? in
                if state.isOver { return state.progress }
                state.waiters.append(continuation)
                return nil
            }
            if let summary { continuation.resume(returning: summary) }
        }
    }
}

/// One load of a prefetch: of an image, or, for the disk, of a file only.
enum PrefetchLoad: Sendable {
    case image(ImageTask)
    case file(Task<Void, Never>, LoadContext)

    /// Starts a load. `end` is called once, also if the load is cancelled.
    static func start(
        _ request: ImageRequest, to levels: CacheLevels, _ manager: ImageManager,
        _ end: @escaping @Sendable (Result<ImageSource, ImageError>) -> Void
    ) -> PrefetchLoad {
        var request = request
        guard levels == .disk else {
            request.cache.store.formIntersection(levels)
            request.cache.storeOriginal.formIntersection(levels)
            let task = manager.load(request)
            task.observeEnd { end($0.map(\.source)) }
            return .image(task)
        }
        request.cache.store = .disk
        request.cache.storeOriginal = .disk
        request.options.insert(.waitStoreCache)
        let context = LoadContext(priority: request.priority, observation: manager.pipeline.observation)
        return .file(Task { [request] in end(await manager.prefetchFile(request, context)) }, context)
    }

    func setPriority(_ priority: LoadPriority) {
        switch self {
        case .image(let task): task.priority = priority
        case .file(_, let context): context.setPriority(priority)
        }
    }

    func cancel() {
        switch self {
        case .image(let task): task.cancel()
        case .file(let task, _): task.cancel()
        }
    }
}

extension ImageManager {
    fileprivate func prefetchFile(_ request: ImageRequest, _ context: LoadContext) async -> Result<
        ImageSource, ImageError
    > {
        do throws(ImageError) {
            let request = applyConfiguration(to: request)
            if await hasFile(of: request) {
                await pipeline.mark(request)
                return .success(.disk)
            }
            return .success(try await originalData(request, context).source)
        } catch {
            return .failure(error)
        }
    }

    /// Whether the file is on disk and may be used without revalidation.
    private func hasFile(of request: ImageRequest) async -> Bool {
        guard request.http.policy == .forever,
            request.options.isDisjoint(with: [.refreshCached, .fromLoaderOnly])
        else { return false }
        return await pipeline.fileCache(of: request).contains(request.originalKey, in: .disk).contains(.disk)
    }
}
