import Synchronization

/// The work of a load, of which a picture in memory has none.
extension ImageTask {
    /// Runs `body`, which ends the load, until it is cancelled.
    func start(_ body: @escaping @Sendable (LoadContext) async -> Void) {
        let relay = TaskRelay()
        relay.connect(to: self)
        let context = LoadContext(demand: demand, observation: observation, mayAsk: { relay.mayAsk() }) {
            relay.deliver($0)
        }
        let task = Task(executorPreference: WorkerPool.loads, priority: context.priority.taskPriority) {
            await body(context)
        }
        place(.task(task, context))
    }

    /// Takes part in the work of all who ask for the same.
    func share() {
        let running = work.withLock { work in
            work.started = .now
            return work.running
        }
        guard let loads = running?.pipeline.loads else { return }
        place(.shared(loads, subscriber: loads.join(request.sharedLoad, self)))
    }

    private func place(_ place: Work.Place) {
        let isChanged = work.withLock { work in
            work.place = place
            return work.priority != nil
        }
        if isCancelled { leave(place) }
        if isChanged { hurry(place) }
        // It may have ended before it had a place.
        if currentOutcome != nil { release() }
    }

    /// Tells the work what is wanted. Read anew until it is what was told: of two changes that cross, the later one decides.
    func hurry(_ place: Work.Place) {
        switch place {
        case .nowhere: break
        case .task(_, let context):
            while case let demand = demand, demand != context.demand { context.setDemand(demand) }
        case .shared(let loads, let subscriber): loads.change(subscriber)
        }
    }

    /// Lets go of what was needed until the end, once the work is left: until then it may still be this task's that is begun.
    func release() {
        let before = work.withLock { work -> Work? in
            // It is about to have a place, and then comes here again.
            if case .nowhere = work.place { return nil }
            return exchange(&work, with: Work(priority: work.priority))
        }
        withExtendedLifetime(before) {}
    }

    func leave(_ place: Work.Place) {
        switch place {
        case .nowhere: break
        case .task(let task, _): task.cancel()
        case .shared(let loads, let subscriber): loads.leave(subscriber)
        }
    }
}

extension ImageTask: SharingClient {
    var demand: LoadDemand {
        var demand = request.demand
        if let priority = work.withLock({ $0.priority }) { demand.priority = priority }
        return demand
    }

    var observation: Observation? { work.withLock { $0.running }?.pipeline.observation }

    var operation: Sharing<ImageRequest, Pipeline.Picture>.Operation {
        guard let pipeline = work.withLock({ $0.running })?.pipeline else {
            return { _ throws(ImageError) in throw .invalidated }
        }
        return pipeline.load(request)
    }

    func hear(_ update: LoadUpdate) { deliver(update) }

    func end(_ outcome: Result<Pipeline.Picture, ImageError>, led: Bool) {
        let started = work.withLock { $0.started }
        finish(
            outcome.map { picture in
                var response = ImageResponse(led ? picture : picture.joined, request)
                response.timeline.total = started.map { .now - $0 }
                return response
            })
    }
}

/// Breaks the circle between a task and the context that reports to it: work that goes on for others must not keep a
/// task that nobody watches.
private final class TaskRelay: Sendable {
    private struct Target {
        weak var task: ImageTask?
    }

    private let target = Mutex(Target())

    func connect(to task: ImageTask) {
        target.withLock { $0.task = task }
    }

    func mayAsk() -> Bool {
        target.withLock { $0.task }?.mayAsk() ?? true
    }

    func deliver(_ update: LoadUpdate) {
        target.withLock { $0.task }?.deliver(update)
    }
}
