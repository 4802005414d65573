import Synchronization

/// Does each piece of work once for all who ask for it at the same time: a `SharingState` with the tasks and the waits.
final class Sharing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Operation = @Sendable (LoadContext) async throws(ImageError) -> Value
    typealias Client = any SharingClient<Value>
    private typealias Core = SharingState<Key, Value>

    private struct Wait {
        let client: Client
        /// Whether its operation is the one that was run.
        var led = false
    }

    /// A piece of work that is about to begin.
    private struct Work {
        let id: Core.WorkID
        let owner: WorkOwner
        let context: LoadContext
        let operation: Operation
        let startsAtOnce: Bool
    }

    private struct State {
        var core: Core
        var waits: [Core.Subscriber: Wait] = [:]
        var works: [Core.WorkID: (owner: WorkOwner, context: LoadContext)] = [:]
    }

    private let state: Mutex<State>
    private let nextSubscriber = Atomic(0)
    private let isAtHand: @Sendable (Key) async -> Bool
    private let pool: WorkerPool

    /// - Parameters:
    ///   - limit: how many pieces of work go on at a time. The others wait in line.
    ///   - pool: the threads without which no work begins.
    ///   - isAtHand: whether the work for a key in line will not have to wait for anybody.
    init(
        limit: Int = .max, pool: WorkerPool = .loads,
        isAtHand: @escaping @Sendable (Key) async -> Bool = { _ in false }
    ) {
        state = Mutex(State(core: Core(limit: limit)))
        self.isAtHand = isAtHand
        self.pool = pool
    }

    /// Pieces of work under way or in line.
    var count: Int { state.withLock { $0.core.count } }

    /// The value for `key`: of the work that is under way, or of `operation`. `led` tells which.
    ///
    /// Cancelling the task that waits ends this wait at once, and the work only where nobody else waits. News of the
    /// work reach `context`, and its demand the work, live.
    ///
    /// - Throws: what the operation throws; `ImageError.cancelled`.
    func callAsFunction(
        _ key: Key, _ context: LoadContext, _ operation: @escaping Operation
    ) async throws(ImageError) -> (value: Value, led: Bool) {
        let subscriber = newSubscriber()
        let (outcome, led) = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: SharingWait<Value>.Continuation) in
                let wait = SharingWait(context, operation, continuation) { self.change(subscriber) }
                join(subscriber, key, wait, startsAtOnce: !Task.isCancelled)
                // A cancellation that came before there was a wait to end.
                if Task.isCancelled { leave(subscriber) }
            }
        } onCancel: {
            leave(subscriber)
        }
        return (try outcome.get(), led)
    }

    /// The same for a client that no Swift task waits with. Returns the number by which it can `leave` before the end.
    func join(_ key: Key, _ client: Client) -> Int {
        let subscriber = newSubscriber()
        join(subscriber, key, client)
        return subscriber
    }

    /// Ends a wait, unless it has ended.
    func leave(_ subscriber: Int) {
        update { $0.core.leave(subscriber) }
    }

    /// Ends the waits of all of these, before any other work begins that is in line.
    func leave(_ subscribers: [Int]) {
        update { $0.core.leave(subscribers) }
    }

    /// What a client wants has changed. It is read anew here: of two changes that cross, the later one decides.
    func change(_ subscriber: Int) {
        update { state in
            guard let demand = state.waits[subscriber]?.client.demand else { return [] }
            return state.core.change(subscriber, demand)
        }
    }

    private func newSubscriber() -> Core.Subscriber { nextSubscriber.add(1, ordering: .relaxed).newValue }

    private func join(_ subscriber: Core.Subscriber, _ key: Key, _ client: Client, startsAtOnce: Bool = false) {
        update(startsAtOnce: startsAtOnce ? subscriber : nil) { state in
            state.waits[subscriber] = Wait(client: client)
            return state.core.join(subscriber, key, demand: client.demand, mayWait: !WorkScope.isInside)
        }
    }

    /// How a piece of work speaks to those who wait. The work's context keeps no sharing.
    private final class Voice: Sendable {
        private weak let sharing: Sharing?
        private let id: Core.WorkID

        init(_ sharing: Sharing, _ id: Core.WorkID) {
            self.sharing = sharing
            self.id = id
        }

        func mayAsk() -> Bool { sharing?.mayAsk(id) ?? false }
        func tell(_ update: LoadUpdate) { sharing?.tell(update, of: id) }
    }

    /// What has to happen outside the lock, because it calls out.
    private enum Effect {
        case look(Core.Look)
        case start(Work)
        case cancel(WorkOwner)
        case change(Core.WorkID, WorkOwner, LoadContext)
        case tellAsked(Client)
        case update(LoadUpdate, [Client])
        indirect case finish(Core.Outcome, [Wait])
    }

    /// - Parameter startsAtOnce: the subscriber whose work begins on the caller's thread, as far as that goes without
    ///   waiting. Nobody else's does: who ends a wait must not be held up by the work that this lets begin.
    private func update(startsAtOnce: Core.Subscriber? = nil, _ change: (inout State) -> [Core.Action]) {
        guard let look = following(startsAtOnce: startsAtOnce, change) else { return }
        Task {
            // More are about to come, as a rule: a task, and a thread that wakes, for each of them would cost as much as
            // all the rest of standing in line.
            try? await Task.sleep(for: Self.gathering)
            await self.look(look)
        }
    }

    /// Nobody sees how long what is at hand has stood in a line that hundreds stand in.
    private static var gathering: Duration { .milliseconds(1) }

    /// Does what a change asks for, and returns what is to be looked at.
    private func following(
        startsAtOnce: Core.Subscriber? = nil, _ change: (inout State) -> [Core.Action]
    ) -> Core.Look? {
        let effects = state.withLock { state -> [Effect] in
            let actions = change(&state)
            guard !actions.isEmpty else { return [] }
            var effects: [Effect] = []
            effects.reserveCapacity(actions.count)
            for action in actions {
                if let effect = self.effect(of: action, &state, startsAtOnce: startsAtOnce) { effects.append(effect) }
            }
            return effects
        }
        var next: Core.Look?
        for effect in effects {
            if case .look(let look) = effect { next = look } else { perform(effect) }
        }
        return next
    }

    /// Looks at one piece of work in line after the other, until there is none.
    private func look(_ first: Core.Look) async {
        var next: Core.Look? = first
        while let look = next {
            let isAtHand = await isAtHand(look.key)
            next = following { $0.core.looked(look.id, isAtHand: isAtHand) }
        }
    }

    private func effect(
        of action: Core.Action, _ state: inout State, startsAtOnce: Core.Subscriber?
    ) -> Effect? {
        switch action {
        case .start(let id, let leader):
            // Its owner is known from now on, so that a cancellation finds it, also before the task is there.
            let leading = state.waits.change(leader) { wait in
                wait.led = true
                return wait.client
            }
            guard let client = leading else { return nil }
            let demand = state.core.demand(of: id) ?? client.demand
            let work = self.work(id, client, demand: demand, startsAtOnce: leader == startsAtOnce)
            state.works[id] = (work.owner, work.context)
            return .start(work)
        case .look(let look):
            return .look(look)
        case .cancel(let id):
            return state.works.removeValue(forKey: id).map { .cancel($0.owner) }
        case .change(let id):
            return state.works[id].map { .change(id, $0.owner, $0.context) }
        case .tellAsked(let subscriber):
            return state.waits[subscriber].map { .tellAsked($0.client) }
        case .update(let update, let subscribers):
            return .update(update, subscribers.compactMap { state.waits[$0]?.client })
        case .finish(let outcome, let subscribers):
            return .finish(outcome, subscribers.compactMap { state.waits.removeValue(forKey: $0) })
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .look: break
        case .start(let work):
            start(work)
        case .cancel(let owner):
            owner.cancel()
        case .change(let id, let owner, let context):
            // Read anew until it is the one that was set: of two changes that cross, the later one decides.
            while let demand = state.withLock({ $0.core.demand(of: id) }), demand != context.demand {
                owner.raise(to: demand.priority)
                context.setDemand(demand)
            }
        case .tellAsked(let client):
            _ = client.mayAsk()
        case .update(let update, let clients):
            for client in clients { client.hear(update) }
        case .finish(let outcome, let waits):
            for wait in waits { wait.client.end(outcome, led: wait.led) }
        }
    }

    /// Passes news of a piece of work on. Not by `update`: each piece of a body is news, and no action.
    private func tell(_ update: LoadUpdate, of id: Core.WorkID) {
        let (only, clients) = state.withLock { state -> (Client?, [Client]) in
            let subscribers = state.core.note(update, of: id)
            // Most work has one, and needs no list.
            if subscribers.count == 1 { return (state.waits[subscribers[0]]?.client, []) }
            return (nil, subscribers.compactMap { state.waits[$0]?.client })
        }
        only?.hear(update)
        for client in clients { client.hear(update) }
    }

    /// Whether anybody still wants what a server is about to be asked for. Who joins meanwhile is asked too.
    private func mayAsk(_ id: Core.WorkID) -> Bool {
        while true {
            let (subscribers, clients) = state.withLock { state in
                let subscribers = state.core.ask(id)
                return (subscribers, subscribers.compactMap { state.waits[$0]?.client })
            }
            // Each of them hears of it.
            if clients.reduce(false, { $1.mayAsk() || $0 }) { return true }
            if state.withLock({ $0.core.giveUp(id, wantedByNoneOf: subscribers) }) { return false }
        }
    }

    private func work(_ id: Core.WorkID, _ client: Client, demand: LoadDemand, startsAtOnce: Bool) -> Work {
        let owner = WorkOwner()
        let voice = Voice(self, id)
        let context = LoadContext(
            demand: demand, observation: client.observation, owner: owner, mayAsk: { voice.mayAsk() },
            deliver: { voice.tell($0) })
        return Work(id: id, owner: owner, context: context, operation: client.operation, startsAtOnce: startsAtOnce)
    }

    private func start(_ work: Work) {
        guard pool.hasThreads else {
            finish(work.id, .failure(.unsupported("There is no thread left to load with.")))
            return
        }
        let body: @Sendable () async -> Void = { [self] in
            let outcome = await WorkScope.$isInside.withValue(true) {
                await Self.outcome(of: work.operation, work.context)
            }
            finish(work.id, outcome)
        }
        let priority = work.context.priority.taskPriority
        work.owner.run(
            in: work.startsAtOnce
                ? .onThisThread(priority: priority, body)
                : Task(executorPreference: WorkerPool.loads, priority: priority, operation: body))
    }

    private func finish(_ id: Core.WorkID, _ outcome: Core.Outcome) {
        update { $0.core.finish(id, outcome) }
        state.withLock { _ = $0.works.removeValue(forKey: id) }
    }

    private static func outcome(of operation: Operation, _ context: LoadContext) async -> Core.Outcome {
        // Given up before it began, as most of those are that are cancelled all together.
        if Task.isCancelled { return .failure(.cancelled) }
        do throws(ImageError) {
            return .success(try await operation(context))
        } catch {
            return .failure(error)
        }
    }
}

/// Where a task comes from.
enum WorkScope {
    /// Whether it is part of shared work: what it asks for must not stand in line behind that work.
    @TaskLocal static var isInside = false
}
