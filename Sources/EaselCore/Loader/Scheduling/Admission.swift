import Synchronization

/// Lets a bounded number of pieces of work run at a time, and start at a bounded rate: an `AdmissionQueue` and a
/// `TokenBucket` with those who wait.
final class Admission: Sendable {
    /// To decoding and transforming, in the whole process: several managers share its processors.
    static let decodes = Admission(AdmissionQueue(limit: coreCount))

    fileprivate struct State {
        var queue: AdmissionQueue<Int>
        var bucket: TokenBucket?
        var isTimerSet = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextNumber = 0
    }

    private let state: Mutex<State>
    private let clock: LoadClock?

    /// - Parameter rate: how often a piece of work may start, by `clock`.
    init(_ queue: AdmissionQueue<Int>, rate: RateLimit? = nil, clock: LoadClock = LoadClock(ContinuousClock())) {
        var queue = queue
        if rate != nil { _ = queue.setAllowance(0) }
        state = Mutex(State(queue: queue, bucket: rate.map(TokenBucket.init)))
        self.clock = rate == nil ? nil : clock
    }

    /// Runs `body` when its turn comes. Its priority is the context's, live, while it waits.
    ///
    /// - Throws: `ImageError.cancelled` when the task is cancelled before its turn, and what `body` throws.
    func run<Value>(
        group: String = "", _ context: LoadContext,
        _ body: (_ waited: Duration) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let (number, isAdmitted) = state.withLock { state in
            defer { state.nextNumber += 1 }
            return (state.nextNumber, state.queue.admitAtOnce(state.nextNumber, group: group))
        }
        defer { update { $0.leave(number) } }
        if isAdmitted {
            if Task.isCancelled { throw .cancelled }
            return try await body(.zero)
        }
        return try await body(try await wait(number, group: group, context))
    }

    /// Waits for the number's turn, and returns for how long. Not inlined: most need not wait, nor have room for it.
    @inline(never)
    private func wait(
        _ number: Int, group: String, _ context: LoadContext
    ) async throws(ImageError) -> Duration {
        let started = ContinuousClock.now
        try await context.observingDemand({
            self.update { $0.reprioritise(number, context.priority) }
        }) { () async throws(ImageError) in
            await turn(number, group: group, context)
        }
        if Task.isCancelled { throw .cancelled }
        return .now - started
    }

    var limit: Int {
        get { state.withLock { $0.queue.limit } }
        set { update { $0.setLimit(newValue) } }
    }

    var limitPerGroup: Int {
        get { state.withLock { $0.queue.limitPerGroup } }
        set { update { $0.setLimitPerGroup(newValue) } }
    }

    var isSuspended: Bool {
        get { state.withLock { $0.queue.isSuspended } }
        set { update { $0.setSuspended(newValue) } }
    }

    var runningCount: Int { state.withLock { $0.queue.runningCount } }
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Lets nobody in while `body` runs: who is cancelled there makes no room for who is about to be.
    func hold(while body: () -> Void) {
        state.withLock { $0.queue.hold() }
        body()
        update { $0.release() }
    }

    /// Returns when it is the number's turn, or its task is cancelled.
    private func turn(_ number: Int, group: String, _ context: LoadContext) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters[number] = continuation }
                update { $0.enqueue(number, group: group, priority: context.priority) }
                if Task.isCancelled { abandon(number) }
            }
        } onCancel: {
            abandon(number)
        }
    }

    /// The waiter leaves; it is let go to find that it was cancelled.
    private func abandon(_ number: Int) {
        update { $0.leave(number) }
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    private func update(_ change: (inout AdmissionQueue<Int>) -> [Int]) {
        let now = clock?.now()
        let (admitted, pause) = state.withLock { state in
            var numbers = change(&state.queue)
            let pause = now.flatMap { state.spend(&numbers, at: $0) }
            return (numbers.compactMap { state.waiters.removeValue(forKey: $0) }, pause)
        }
        for waiter in admitted { waiter.resume() }
        if let pause { Task { [weak self] in await self?.wake(after: pause) } }
    }

    /// Looks again when there is a token: who is first then goes, and not who is first now.
    private func wake(after pause: Duration) async {
        try? await clock?.sleep(pause)
        state.withLock { $0.isTimerSet = false }
        update { _ in [] }
    }
}

extension Admission.State {
    /// Takes a token for each of `admitted`, lets others in for whom there are tokens, and returns how long to wait for
    /// the next token where somebody has to and nobody waits for it yet.
    ///
    /// Between two events the queue's allowance is 0: only here, where the time is known, is anybody let in.
    fileprivate mutating func spend(_ admitted: inout [Int], at now: Duration) -> Duration? {
        guard var bucket else { return nil }
        defer { self.bucket = bucket }
        let more = queue.setAllowance(bucket.count(at: now))
        for _ in more { _ = bucket.take(at: now) }
        admitted += more
        _ = queue.setAllowance(0)
        guard queue.isHeldByAllowance, !isTimerSet else { return nil }
        isTimerSet = true
        return bucket.wait(at: now)
    }
}
