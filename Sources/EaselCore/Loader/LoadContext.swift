import Synchronization

/// What a piece of work is told and tells: how urgent it is now, and how far it is.
public final class LoadContext: Sendable {
    private struct State {
        var demand: LoadDemand
        /// Few: an array is looked through faster than a dictionary is made.
        var observers: [(number: Int, call: @Sendable () -> Void)] = []
        var nextObserver = 0
    }

    private let state: Mutex<State>
    private let deliver: @Sendable (LoadUpdate) -> Void
    private let isWanted: @Sendable () -> Bool
    /// Who is told what the work does; `nil` for work without a manager.
    let observation: Observation?
    /// The task that does this work and nothing else; `nil` where whoever waits for the work does it.
    let owner: WorkOwner?
    /// Whether what is wanted stays as it is, so that nobody need listen.
    private let isSteady: Bool

    init(
        demand: LoadDemand, observation: Observation? = nil, owner: WorkOwner? = nil, isSteady: Bool = false,
        mayAsk: @escaping @Sendable () -> Bool = { true }, deliver: @escaping @Sendable (LoadUpdate) -> Void
    ) {
        state = Mutex(State(demand: demand))
        self.isSteady = isSteady
        self.observation = observation
        self.owner = owner
        self.deliver = deliver
        isWanted = mayAsk
    }

    convenience init(
        priority: LoadPriority, observation: Observation? = nil, isSteady: Bool = false,
        deliver: @escaping @Sendable (LoadUpdate) -> Void
    ) {
        let demand = LoadDemand(priority: priority)
        self.init(demand: demand, observation: observation, isSteady: isSteady, deliver: deliver)
    }

    /// How urgent the work is now: the highest priority of those who wait for it.
    public var priority: LoadPriority { demand.priority }

    /// All that is wanted of the work now.
    var demand: LoadDemand { state.withLock { $0.demand } }

    /// Tells all who wait how many bytes have come; `expected` is `nil` where the server does not say.
    public func report(received: Int, expected: Int?) {
        deliver(.progress(LoadProgress(received: received, expected: expected)))
    }

    func report(_ update: LoadUpdate) {
        deliver(update)
    }

    /// Tells all who wait that a server is about to be asked; `false` where none of them wants it any more. Whoever hears
    /// of it in time can let the load go on instead of asking a second time later.
    func mayAsk() -> Bool { isWanted() }

    func setPriority(_ priority: LoadPriority) {
        change { $0.priority = priority }
    }

    func setDemand(_ demand: LoadDemand) {
        change { $0 = demand }
    }

    private func change(_ change: (inout LoadDemand) -> Void) {
        let observers = state.withLock { state in
            let before = state.demand
            change(&state.demand)
            return state.demand == before ? [] : state.observers
        }
        for observer in observers { observer.call() }
    }

    /// Runs `body` with a context that is wanted as much as this one, and whose news go to `deliver` instead.
    ///
    /// - Parameter allowsPreviews: `false` where nobody will see them.
    func relaying<Value>(
        allowsPreviews: Bool = true, _ deliver: @escaping @Sendable (LoadUpdate) -> Void,
        _ body: (LoadContext) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let wanted: @Sendable () -> LoadDemand = { [self] in
            var demand = demand
            demand.wantsPreviews = demand.wantsPreviews && allowsPreviews
            return demand
        }
        let inner = LoadContext(
            demand: wanted(), observation: observation, owner: owner, mayAsk: isWanted, deliver: deliver)
        return try await observingDemand({
            // Read anew until it is the one that was set: of two changes that cross, the later one decides.
            while case let demand = wanted(), demand != inner.demand { inner.setDemand(demand) }
        }) { () async throws(ImageError) in
            try await body(inner)
        }
    }

    /// Calls `observe` now and after each change of what is wanted, while `body` runs.
    ///
    /// It is not told the demand but reads it: calls of two changes may cross, and then both have to find the later one.
    func observingDemand<Value>(
        _ observe: @escaping @Sendable () -> Void, _ body: () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let number = listen(observe)
        defer { stopListening(number) }
        observe()
        return try await body()
    }

    /// The same until `stopListening` with the number that is returned; but nothing is called now.
    func listen(_ observe: @escaping @Sendable () -> Void) -> Int {
        if isSteady { return 0 }
        return state.withLock { state in
            defer { state.nextObserver += 1 }
            state.observers.append((state.nextObserver, observe))
            return state.nextObserver
        }
    }

    func stopListening(_ number: Int) {
        if isSteady { return }
        // Taken out under the lock, released outside: it may hold the last reference to anything.
        let observer = state.withLock { state in
            state.observers.firstIndex { $0.number == number }.map { state.observers.remove(at: $0) }
        }
        withExtendedLifetime(observer) {}
    }
}

/// The task of a piece of work, for whoever may have to end it from outside.
final class WorkOwner: Sendable {
    private enum State {
        case starting
        case running(Task<Void, Never>)
        case cancelled
    }

    private let state = Mutex(State.starting)

    /// The task that does the work.
    func run(in task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .running(task)
            return false
        }
        if isCancelled { task.cancel() }
    }

    /// Raises the priority of the task, by which its jobs are ordered on the threads of a `WorkerPool`. That of a task cannot fall.
    func raise(to priority: LoadPriority) {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        if case .running(let task) = state.withLock({ $0 }) { task.escalatePriority(to: priority.taskPriority) }
    }

    /// Ends the work, once its task is known.
    func cancel() {
        let task = state.withLock { state -> Task<Void, Never>? in
            defer { state = .cancelled }
            if case .running(let task) = state { return task }
            return nil
        }
        task?.cancel()
    }
}

/// How many bytes of a picture have come.
public struct LoadProgress: Sendable, Hashable {
    /// Bytes so far.
    public var received: Int
    /// Bytes in all, where the server says.
    public var expected: Int?

    /// From 0 to 1; 0 while the total is unknown, 1 when more came than was announced (B79).
    public var fraction: Double {
        guard let expected, expected > 0 else { return 0 }
        return min(1, Double(received) / Double(expected))
    }

    /// So many bytes of so many.
    public init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}

/// News of a piece of work before its end.
enum LoadUpdate: Sendable {
    case progress(LoadProgress)
    // Rare and large: the others would be as large.
    indirect case cached(ImageResponse)
    indirect case preview(DecodedImage)
    /// The original file begins to come; of a new attempt, another one.
    case arriving(ArrivingFile)
}
