import Synchronization

/// Runs a bounded number of operations at a time, and optionally starts them at a bounded rate.
///
/// `PriorityQueue` and `TokenBucket` decide; this type holds the waiting tasks.
@dynamicMemberLookup
final class Admission: Sendable {
    /// Admits decodes and transforms of the whole process.
    static let decodes = Admission(PriorityQueue(limit: coreCount))

    private struct State {
        var queue: PriorityQueue<Int, String>
        var bucket: TokenBucket?
        var isTimerSet = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextNumber = 0
    }

    private let state: Mutex<State>
    private let clock: LoadClock?

    /// - Parameters:
    ///   - rate: How often an operation may start.
    ///   - clock: The clock of the rate.
    init(_ queue: PriorityQueue<Int, String>, rate: RateLimit? = nil, clock: LoadClock = LoadClock(ContinuousClock())) {
        var queue = queue
        if rate != nil { queue.allowance = 0 }
        state = Mutex(State(queue: queue, bucket: rate.map(TokenBucket.init)))
        self.clock = rate == nil ? nil : clock
    }

    /// Runs `body` when it is admitted. While it waits, its priority is that of `context`.
    ///
    /// - Throws: `ImageError.cancelled` if the task is cancelled before, and what `body` throws.
    func run<Value>(
        group: String = "", _ context: LoadContext,
        _ body: (_ waited: Duration) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        let (number, isAdmitted) = state.withLock { state in
            state.nextNumber += 1
            return (state.nextNumber, state.queue.admitAtOnce(state.nextNumber, group: group))
        }
        defer { update { $0.leave(number) } }
        var waited = Duration.zero
        if !isAdmitted {
            let started = ContinuousClock.now
            try await context.observeDemand({
                self.update { $0.reprioritise(number, context.priority) }
            }) { () async throws(ImageError) in
                await wait(for: number, group, context)
            }
            waited = .now - started
        }
        if Task.isCancelled { throw .cancelled }
        return try await body(waited)
    }

    /// A property of the queue. A change applies at once.
    subscript<Value: Sendable>(dynamicMember path: WritableKeyPath<PriorityQueue<Int, String>, Value>) -> Value {
        get { state.withLock { $0.queue[keyPath: path] } }
        set {
            update { queue in
                queue[keyPath: path] = newValue
                return queue.admit()
            }
        }
    }

    var runningCount: Int { state.withLock { $0.queue.runningCount } }
    var waitingCount: Int { state.withLock { $0.queue.waitingCount } }

    /// Admits nothing while `body` runs: an operation that it cancels makes no room for one that it cancels next.
    func hold(while body: () -> Void) {
        state.withLock { $0.queue.holds += 1 }
        body()
        update { queue in
            queue.holds -= 1
            return queue.admit()
        }
    }

    /// Returns when the operation is admitted, or its task is cancelled.
    private func wait(for number: Int, _ group: String, _ context: LoadContext) async {
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

    private func abandon(_ number: Int) {
        update { $0.leave(number) }
        state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }

    private func update(_ change: (inout PriorityQueue<Int, String>) -> [Int]) {
        let now = clock?.now()
        let (admitted, pause) = state.withLock { state in
            var numbers = change(&state.queue)
            let pause = now.flatMap { Self.takeTokens(&state, for: &numbers, at: $0) }
            return (numbers.compactMap { state.waiters.removeValue(forKey: $0) }, pause)
        }
        for waiter in admitted { waiter.resume() }
        guard let pause else { return }
        Task { [weak self, clock] in
            try? await clock?.sleep(pause)
            self?.state.withLock { $0.isTimerSet = false }
            self?.update { _ in [] }
        }
    }

    /// Admits as many more as there are tokens. Returns the time until the next token if something waits for it and no timer is set.
    ///
    /// The queue's allowance is 0 between two events, because only here the time is known.
    private static func takeTokens(_ state: inout State, for admitted: inout [Int], at now: Duration) -> Duration? {
        guard var bucket = state.bucket else { return nil }
        state.queue.allowance = bucket.availableTokens(at: now)
        let more = state.queue.admit()
        for _ in more { _ = bucket.take(at: now) }
        admitted += more
        state.bucket = bucket
        state.queue.allowance = 0
        guard state.queue.isHeldByAllowance, !state.isTimerSet else { return nil }
        state.isTimerSet = true
        return bucket.delay(at: now)
    }
}

/// How often something may happen: a burst at once, and a rate in the long run.
public struct RateLimit: Sendable, Hashable {
    let burst: Int
    let perSecond: Double

    /// Creates a limit: `burst` at once after a pause, at least 1, and `perSecond` in the long run, at least 0.001.
    public init(burst: Int, perSecond: Double) {
        self.burst = max(1, burst)
        self.perSecond = perSecond.isFinite ? min(max(perSecond, 0.001), 1_000_000) : 1_000_000
    }
}

/// Tokens that arrive at a steady rate, up to a burst. A pure value; the time is an argument.
///
/// It stores only when the bucket is full again, in exact durations, so that there is a token exactly after `delay(at:)`.
struct TokenBucket: Sendable, Hashable {
    private let burst: Int
    private let interval: Duration
    private var full = Duration.zero

    /// Creates a full bucket.
    init(_ rate: RateLimit) {
        burst = rate.burst
        interval = .nanoseconds(Int64((1_000_000_000 / rate.perSecond).rounded()))
    }

    func availableTokens(at now: Duration) -> Int {
        let missing = full - now
        guard missing > .zero else { return burst }
        let whole = (missing.attoseconds + interval.attoseconds - 1) / interval.attoseconds
        return max(0, burst - Int(clamping: whole))
    }

    func isFull(at now: Duration) -> Bool { full <= now }

    /// Takes a token. Returns `false` if there is none.
    mutating func take(at now: Duration) -> Bool {
        guard availableTokens(at: now) > 0 else { return false }
        full = max(full, now) + interval
        return true
    }

    /// Returns the time until there is a token.
    func delay(at now: Duration) -> Duration { max(.zero, full - now - interval * (burst - 1)) }
}
