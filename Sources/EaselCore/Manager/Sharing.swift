import Synchronization

/// Does each piece of work once for all who ask for it at the same time: a `SharingState` with the tasks and the waits.
final class Sharing<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Operation = @Sendable (LoadContext) async throws(ImageError) -> Value
    private typealias Core = SharingState<Key, Value>

    private struct Wait {
        let continuation: CheckedContinuation<Core.Outcome, Never>
        let context: LoadContext
        let operation: Operation
    }

    private struct State {
        var core = Core()
        var waits: [Core.Subscriber: Wait] = [:]
        var works: [Core.WorkID: (owner: WorkOwner, context: LoadContext)] = [:]
        var nextSubscriber = 0
    }

    private let state = Mutex(State())

    /// Pieces of work under way.
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
        let led = Flag()
        let operation: Operation = { context throws(ImageError) in
            led.isSet.store(true, ordering: .relaxed)
            return try await operation(context)
        }
        let subscriber = state.withLock { state in
            state.nextSubscriber += 1
            return state.nextSubscriber
        }
        return try await context.observingDemand({
            self.update { $0.change(subscriber, context.demand) }
        }) { () async throws(ImageError) in
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let wait = Wait(continuation: continuation, context: context, operation: operation)
                    state.withLock { $0.waits[subscriber] = wait }
                    update { $0.join(subscriber, key, demand: context.demand) }
                    // A cancellation that came before there was a wait to end.
                    if Task.isCancelled { update { $0.leave(subscriber) } }
                }
            } onCancel: {
                update { $0.leave(subscriber) }
            }
            return (try outcome.get(), led.isSet.load(ordering: .relaxed))
        }
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// What has to happen outside the lock, because it calls out.
    private enum Effect {
        case cancel(WorkOwner)
        case change(Core.WorkID, LoadContext)
        case update(LoadUpdate, [LoadContext])
        indirect case finish(Core.Outcome, [CheckedContinuation<Core.Outcome, Never>])
    }

    private func update(_ change: (inout Core) -> [Core.Action]) {
        let effects = state.withLock { state in
            change(&state.core).compactMap { effect(of: $0, &state) }
        }
        for effect in effects { perform(effect) }
    }

    private func effect(of action: Core.Action, _ state: inout State) -> Effect? {
        switch action {
        case .start(let id, let leader):
            // Inside the lock, so that a cancellation finds the task; a new task only queues.
            if let wait = state.waits[leader] {
                let demand = state.core.demand(of: id) ?? wait.context.demand
                state.works[id] = start(id, wait, demand: demand)
            }
            return nil
        case .cancel(let id):
            return state.works.removeValue(forKey: id).map { .cancel($0.owner) }
        case .change(let id):
            return state.works[id].map { .change(id, $0.context) }
        case .update(let update, let subscribers):
            return .update(update, subscribers.compactMap { state.waits[$0]?.context })
        case .finish(let outcome, let subscribers):
            return .finish(outcome, subscribers.compactMap { state.waits.removeValue(forKey: $0)?.continuation })
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .cancel(let owner):
            owner.cancel()
        case .change(let id, let context):
            // Read anew until it is the one that was set: of two changes that cross, the later one decides.
            while let demand = state.withLock({ $0.core.demand(of: id) }), demand != context.demand {
                context.setDemand(demand)
            }
        case .update(let update, let contexts):
            for context in contexts { context.report(update) }
        case .finish(let outcome, let continuations):
            for continuation in continuations { continuation.resume(returning: outcome) }
        }
    }

    private func start(
        _ id: Core.WorkID, _ wait: Wait, demand: LoadDemand
    ) -> (owner: WorkOwner, context: LoadContext) {
        let owner = WorkOwner()
        let context = LoadContext(demand: demand, observation: wait.context.observation, owner: owner) {
            [weak self] update in
            self?.update { $0.update(id, update) }
        }
        let task = Task {
            let outcome: Core.Outcome
            do throws(ImageError) {
                outcome = .success(try await wait.operation(context))
            } catch {
                outcome = .failure(error)
            }
            update { $0.finish(id, outcome) }
            state.withLock { _ = $0.works.removeValue(forKey: id) }
        }
        owner.run(in: task)
        return (owner, context)
    }
}
