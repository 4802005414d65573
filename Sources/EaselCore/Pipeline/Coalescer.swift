import Synchronization

/// A coalescer that runs an operation once for all callers that need the same key at the same time.
///
/// Each caller is a subscriber. The first leads: its operation runs. The others follow, and receive the current
/// progress and the last preview. The operation has the highest priority of its subscribers, and is cancelled with the
/// last of them. A value can be joined after its end too, as long as a subscriber keeps its lease.
///
/// The decisions are those of `CoalescerState`; this type runs them.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Operation = @Sendable (LoadContext) async throws(ImageError) -> Value
    private typealias Core = CoalescerState<Key, Value>

    /// A subscription, by its number.
    struct Subscription: Sendable {
        fileprivate let coalescer: Coalescer
        fileprivate let number: Int

        fileprivate init(_ coalescer: Coalescer) {
            self.coalescer = coalescer
            number = coalescer.lastNumber.add(1, ordering: .relaxed).newValue
        }

        /// Ends the subscription with `ImageError.cancelled`, unless it has ended.
        func cancel() { coalescer.cancel([self]) }

        /// Reads the subscriber's demand again.
        func demandDidChange() {
            coalescer.update { state in
                // Read here: of two changes that cross, the later one counts.
                guard let demand = state.subscribers[number]?.demand else { return [] }
                return state.core.setDemand(demand, of: number)
            }
        }
    }

    private struct Running {
        let context: LoadContext
        var task: Task<Void, Never>?
    }

    private struct State {
        var core: Core
        var subscribers: [Int: any Subscriber<Value>] = [:]
        var running: [Core.EntryID: Running] = [:]
    }

    private let state: Mutex<State>
    private let lastNumber = Atomic(0)
    private let isLocal: @Sendable (Key) async -> Bool
    private let pool: WorkerPool

    /// Creates a coalescer. `isLocal` returns whether the operation for a waiting key needs no server.
    init(
        limit: Int = .max, pool: WorkerPool = .loads, isLocal: @escaping @Sendable (Key) async -> Bool = { _ in false }
    ) {
        state = Mutex(State(core: Core(limit: limit)))
        self.isLocal = isLocal
        self.pool = pool
    }

    /// The number of operations that run or wait.
    var count: Int { state.withLock { $0.core.count } }
    /// The number of finished values that can be joined.
    var finishedCount: Int { state.withLock { $0.core.finishedCount } }

    // MARK: - Subscribers

    /// Returns the value for `key`: of the operation in flight, of `operation`, or with `joinsFinished` a finished
    /// value that is leased.
    ///
    /// Updates of the operation reach `context`, and the demand of `context` reaches the operation. Cancelling the
    /// calling task ends only this subscription.
    func run(
        _ key: Key, _ context: LoadContext, joinsFinished: Bool = false, _ operation: @escaping Operation
    ) async throws(ImageError) -> Coalesced<Value> {
        let subscription = Subscription(self)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: Waiter<Value>.Continuation) in
                let waiter = Waiter(context, operation, continuation) { subscription.demandDidChange() }
                join(subscription, key, waiter, joinsFinished: joinsFinished, startsOnCaller: !Task.isCancelled)
                // The task may have been cancelled before the subscription existed.
                if Task.isCancelled { subscription.cancel() }
            }
        } onCancel: {
            subscription.cancel()
        }
        return try outcome.get()
    }

    /// Adds a subscriber without a waiting task.
    func subscribe(_ subscriber: any Subscriber<Value>, to key: Key) -> Subscription {
        let subscription = Subscription(self)
        join(subscription, key, subscriber)
        return subscription
    }

    /// Ends subscriptions before any waiting operation starts.
    func cancel(_ subscriptions: [Subscription]) { update { $0.core.leave(subscriptions.map(\.number)) } }

    private func join(
        _ subscription: Subscription, _ key: Key, _ subscriber: any Subscriber<Value>, joinsFinished: Bool = false,
        startsOnCaller: Bool = false
    ) {
        let number = subscription.number
        update(startingOnCaller: startsOnCaller ? number : nil) { state in
            state.subscribers[number] = subscriber
            return state.core.join(
                number, key, demand: subscriber.demand, mayWait: !OperationScope.isInside, joinsFinished: joinsFinished)
        }
    }

    /// Makes a value available to later subscribers, for as long as its lease is kept.
    func publish(_ value: Value, for key: Key) -> Coalesced<Value> {
        var id = 0
        update { state in
            let (entry, actions) = state.core.publish(value, for: key)
            id = entry
            return actions
        }
        return Coalesced(value: value, lease: lease(of: id))
    }

    /// Returns the finished value for `key`, if its lease has not ended.
    func finishedValue(for key: Key) -> Coalesced<Value>? {
        guard let (id, value) = state.withLock({ $0.core.lease(key) }) else { return nil }
        return Coalesced(value: value, role: .latecomer, lease: lease(of: id))
    }

    // MARK: - Actions

    /// Changes the state, and performs the actions outside of the lock, because they call out.
    ///
    /// - Parameter startingOnCaller: The subscriber whose operation begins on the calling thread. No other does: a
    ///   caller that ends a subscription must not run the operation that starts next.
    private func update(startingOnCaller: Int? = nil, _ change: (inout State) -> [Core.Action]) {
        for action in state.withLock({ change(&$0) }) {
            switch action {
            case .start(let id, _): start(id, startingOnCaller)
            case .probe(let id, let key): probe(id, key)
            case .cancel(let id): state.withLock { $0.running.removeValue(forKey: id)?.task }?.cancel()
            case .updateDemand(let id): updateDemand(of: id)
            case .announceRequest(let number): _ = state.withLock { $0.subscribers[number] }?.willSendRequest()
            case .deliver(let update, let numbers): deliver(update, to: numbers)
            case .finish(let id, let outcome, let numbers):
                let claim = Claim()
                let subscribers = state.withLock { state in
                    numbers.compactMap { state.subscribers.removeValue(forKey: $0) }
                }
                for (index, subscriber) in subscribers.enumerated() {
                    let role: Coalesced<Value>.Role = index == 0 ? .leader : .follower
                    subscriber.didFinish(
                        outcome.map { Coalesced(value: $0, role: role, claim: claim, lease: lease(of: id)) })
                }
            case .answer(let id, let value, let number):
                let subscriber = state.withLock { $0.subscribers.removeValue(forKey: number) }
                subscriber?.didFinish(
                    .success(Coalesced(value: value, role: .latecomer, lease: lease(of: id))))
            // Its value is released with the actions, outside of the lock, because a deinitializer may call out.
            case .release: break
            }
        }
    }

    private func deliver(_ update: LoadUpdate, to numbers: [Int]) {
        let subscribers = state.withLock { state in numbers.compactMap { state.subscribers[$0] } }
        for subscriber in subscribers { subscriber.didReceive(update) }
    }

    private func lease(of id: Core.EntryID) -> Lease {
        Lease { [weak self] in self?.update { $0.core.endLease(of: id) } }
    }

    // MARK: - Operations

    private func start(_ id: Core.EntryID, _ startingOnCaller: Int?) {
        // The entry may have ended, or have another leader.
        let started = state.withLock { state -> (Int, Operation, LoadContext)? in
            guard let leader = state.core.leader(of: id), let subscriber = state.subscribers[leader] else { return nil }
            let context = LoadContext(
                demand: state.core.demand(of: id) ?? subscriber.demand, observation: subscriber.observation,
                willSendRequest: { [weak self] in self?.willSendRequest(id) ?? false },
                deliver: { [weak self] in self?.deliver($0, from: id) })
            state.running[id] = Running(context: context)
            // Here, because a subscriber that leaves releases its operation.
            return (leader, subscriber.operation, context)
        }
        guard let (leader, operation, context) = started else { return }
        guard pool.hasThreads else {
            return finish(id, .failure(.unsupported("No thread is available to load the image.")))
        }
        let body: @Sendable () async -> Void = { [self] in
            let outcome = await OperationScope.$isInside.withValue(true) { () async -> Core.Outcome in
                if Task.isCancelled { return .failure(.cancelled) }
                do throws(ImageError) { return .success(try await operation(context)) } catch { return .failure(error) }
            }
            finish(id, outcome)
        }
        let priority = context.priority.taskPriority
        let task =
            leader == startingOnCaller
            ? Task.startImmediately(priority: priority, body)
            : Task(executorPreference: pool, priority: priority, operation: body)
        let isCancelled = state.withLock { state in
            state.running[id]?.task = task
            return state.running[id] == nil
        }
        if isCancelled { task.cancel() }
        updateDemand(of: id)
    }

    private func finish(_ id: Core.EntryID, _ outcome: Core.Outcome) {
        update { state in
            state.running[id] = nil
            return state.core.finish(id, outcome)
        }
    }

    private func updateDemand(of id: Core.EntryID) {
        // Two changes can cross. The loop ends with the later one. An operation whose task does not exist yet is
        // updated by `start`.
        while let (running, demand) = state.withLock({ state in
            state.running[id].flatMap { running in state.core.demand(of: id).map { (running, $0) } }
        }), let task = running.task, demand != running.context.demand {
            // Before the context, so that work which the operation starts in response has the new priority. A task's
            // priority cannot fall.
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                task.escalatePriority(to: demand.priority.taskPriority)
            }
            running.context.setDemand(demand)
        }
    }

    private func deliver(_ update: LoadUpdate, from id: Core.EntryID) {
        deliver(update, to: state.withLock { $0.core.didReport(update, from: id) })
    }

    /// Whether a subscriber, also one that joins meanwhile, needs the request that an operation is about to send.
    private func willSendRequest(_ id: Core.EntryID) -> Bool {
        while true {
            let (numbers, subscribers) = state.withLock { state in
                let numbers = state.core.willSendRequest(id)
                return (numbers, numbers.compactMap { state.subscribers[$0] })
            }
            if subscribers.reduce(false, { $1.willSendRequest() || $0 }) { return true }
            if state.withLock({ $0.core.closeIfUnneeded(id, refusedBy: numbers) }) { return false }
        }
    }

    private func probe(_ id: Core.EntryID, _ key: Key) {
        // On the threads for reading files, to which each call of the cache would change otherwise.
        Task(executorPreference: WorkerPool.reads) { [self] in
            // Usually many more entries are about to wait. A pause costs less than a task and a thread wake-up for each
            // of them.
            try? await Task.sleep(for: .milliseconds(1))
            let isLocal = await isLocal(key)
            update { $0.core.didProbe(id, isLocal: isLocal) }
        }
    }
}

/// A value of a coalesced operation.
struct Coalesced<Value: Sendable>: Sendable {
    enum Role: Sendable {
        /// The first subscriber. The operation counts as its own.
        case leader
        /// A subscriber that joined the operation of another.
        case follower
        /// A subscriber that joined the finished value.
        case latecomer
    }

    var value: Value
    var role = Role.leader
    /// Chooses one of the subscribers that received the value together.
    var claim = Claim()
    /// While it is kept, later subscribers can join the value.
    var lease = Lease {}
}

/// A claim that only one of several callers gets.
final class Claim: Sendable {
    private let isTaken = Atomic(false)

    /// Returns `true` to the first caller.
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// A lease, which ends when it is released.
final class Lease: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// A caller that waits for an operation, and provides the operation in case it leads.
protocol Subscriber<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable

    /// The current demand. This and the following are called under a lock.
    var demand: LoadDemand { get }
    /// Counts the stages of the operation.
    var observation: Observation? { get }
    var operation: @Sendable (LoadContext) async throws(ImageError) -> Value { get }

    /// Announces that a request is about to be sent. Returns whether this subscriber needs it.
    func willSendRequest() -> Bool
    func didReceive(_ update: LoadUpdate)
    /// Delivers the outcome with a lease, which the caller does not keep. Called once.
    func didFinish(_ outcome: consuming Result<Coalesced<Value>, ImageError>)
}

/// A task that waits.
private final class Waiter<Value: Sendable>: Subscriber {
    typealias Continuation = CheckedContinuation<Result<Coalesced<Value>, ImageError>, Never>

    let operation: @Sendable (LoadContext) async throws(ImageError) -> Value
    private let context: LoadContext
    private let continuation: Continuation
    private let observer: Int

    init(
        _ context: LoadContext, _ operation: @escaping @Sendable (LoadContext) async throws(ImageError) -> Value,
        _ continuation: Continuation, demandDidChange: @escaping @Sendable () -> Void
    ) {
        self.context = context
        self.operation = operation
        self.continuation = continuation
        observer = context.addObserver(demandDidChange)
    }

    var demand: LoadDemand { context.demand }
    var observation: Observation? { context.observation }

    func willSendRequest() -> Bool { context.willSendRequest() }

    func didReceive(_ update: LoadUpdate) { context.report(update) }

    func didFinish(_ outcome: consuming Result<Coalesced<Value>, ImageError>) {
        context.removeObserver(observer)
        continuation.resume(returning: outcome)
    }
}

/// The context of a task.
enum OperationScope {
    /// Whether it is part of a coalesced operation. A nested operation must not wait for the outer one.
    @TaskLocal static var isInside = false
}
