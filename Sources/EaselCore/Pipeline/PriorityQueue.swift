import Synchronization

/// Work that waits to run: by priority, then by arrival, with a limit in total and a limit per group, such as a host.
///
/// A pure value: each event returns the elements that it admits. An event takes constant time, and admitting an element
/// time in proportion to the number of groups.
struct PriorityQueue<Element: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
    /// The order of elements with the same priority.
    enum Order: Sendable, Hashable {
        case firstInFirstOut, lastInFirstOut
    }

    private struct Waiting {
        let group: Int
        let priority: LoadPriority
        let turn: Int
    }

    private struct WaitingElement: Sendable {
        let turn: Int
        let element: Element
    }

    private struct Members: Sendable {
        var group: Group
        var runningCount = 0
        var waitingCount = 0
        /// By priority, from the lowest. An element that has left is skipped later; it no longer waits with that turn.
        var buckets = [Deque<WaitingElement>](repeating: Deque(), count: LoadPriority.allCases.count)

        var isEmpty: Bool { runningCount == 0 && waitingCount == 0 }
    }

    /// The number of elements that may run. Lowering it does not stop any. Call `admit()` after a change of this and of
    /// the following.
    var limit: Int
    var limitPerGroup: Int
    let order: Order
    /// Whether nothing is admitted. Running elements continue.
    var isSuspended = false
    /// Nothing is admitted while this is not 0.
    var holds = 0
    /// How many more elements may be admitted for now; `nil` for no such limit.
    var allowance: Int?

    private var waiting: [Element: Waiting] = [:]
    /// The running elements with the indices of their groups.
    private var running: [Element: Int] = [:]
    /// The members of each group. Elements refer to a group by its index here; the place of an empty group is used
    /// again.
    private var groups: [Members] = []
    private var groupIndices: [Group: Int] = [:]
    private var unusedIndices: [Int] = []
    private var arrivals = 0

    init(limit: Int, limitPerGroup: Int = .max, order: Order = .firstInFirstOut) {
        self.limit = limit
        self.limitPerGroup = limitPerGroup
        self.order = order
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { waiting.count }
    private var isOpen: Bool { !isSuspended && holds == 0 }
    /// Whether only the allowance keeps an element waiting.
    var isHeldByAllowance: Bool { allowance == 0 && isOpen && running.count < limit && !waiting.isEmpty }

    /// Admits a new element if there is room. No waiting element can be passed over: it would have been admitted
    /// before.
    mutating func admitAtOnce(_ element: Element, group: Group) -> Bool {
        guard isOpen, allowance == nil, running.count < limit else { return false }
        let index = index(of: group)
        guard hasRoom(groups[index]) else { return false }
        running[element] = index
        groups[index].runningCount += 1
        return true
    }

    /// Adds a new element.
    mutating func enqueue(_ element: Element, group: Group, priority: LoadPriority) -> [Element] {
        place(element, index(of: group), priority)
        return admit()
    }

    /// Changes the priority of a waiting element, which then counts as the last arrival of that priority.
    mutating func reprioritise(_ element: Element, _ priority: LoadPriority) -> [Element] {
        guard let entry = waiting[element], entry.priority != priority else { return [] }
        groups[entry.group].waitingCount -= 1
        place(element, entry.group, priority)
        return admit()
    }

    /// Removes an element that has run or is no longer needed. Does nothing for an unknown one.
    mutating func leave(_ element: Element) -> [Element] {
        if let entry = waiting.removeValue(forKey: element) {
            groups[entry.group].waitingCount -= 1
            compact(entry.group)
            return []
        }
        guard let group = running.removeValue(forKey: element) else { return [] }
        groups[group].runningCount -= 1
        compact(group)
        return waiting.isEmpty ? [] : admit()
    }

    private mutating func index(of group: Group) -> Int {
        if let index = groupIndices[group] { return index }
        let index = unusedIndices.popLast() ?? groups.count
        if index == groups.count { groups.append(Members(group: group)) }
        groups[index].group = group
        groupIndices[group] = index
        return index
    }

    private mutating func place(_ element: Element, _ group: Int, _ priority: LoadPriority) {
        arrivals += 1
        waiting[element] = Waiting(group: group, priority: priority, turn: arrivals)
        groups[group].buckets[priority.index].append(WaitingElement(turn: arrivals, element: element))
        groups[group].waitingCount += 1
        compact(group)
    }

    /// Admits as many elements as there is room for.
    mutating func admit() -> [Element] {
        var admitted: [Element] = []
        while isOpen, running.count < limit, allowance != 0, let (element, group) = next() {
            waiting[element] = nil
            running[element] = group
            groups[group].waitingCount -= 1
            groups[group].runningCount += 1
            admitted.append(element)
            allowance = allowance.map { $0 - 1 }
        }
        return admitted
    }

    /// Removes the element to admit next from its bucket, and returns it.
    private mutating func next() -> (element: Element, group: Int)? {
        guard !waiting.isEmpty else { return nil }
        for priority in LoadPriority.allCases.reversed() {
            var best: (place: WaitingElement, group: Int)?
            for group in groups.indices where groups[group].waitingCount > 0 && hasRoom(groups[group]) {
                guard let first = first(of: group, priority) else { continue }
                if let best, isBefore(best.place, first) { continue }
                best = (first, group)
            }
            guard let best else { continue }
            removeFirst(of: best.group, priority)
            return (best.place.element, best.group)
        }
        return nil
    }

    private func isBefore(_ first: WaitingElement, _ second: WaitingElement) -> Bool {
        order == .firstInFirstOut ? first.turn < second.turn : first.turn > second.turn
    }

    /// Returns the first element of a bucket that still waits there.
    private mutating func first(of group: Int, _ priority: LoadPriority) -> WaitingElement? {
        let index = priority.index
        while let first = order == .firstInFirstOut
            ? groups[group].buckets[index].first : groups[group].buckets[index].last
        {
            if waiting[first.element]?.turn == first.turn { return first }
            removeFirst(of: group, priority)
        }
        return nil
    }

    private mutating func removeFirst(of group: Int, _ priority: LoadPriority) {
        switch order {
        case .firstInFirstOut: groups[group].buckets[priority.index].popFirst()
        case .lastInFirstOut: groups[group].buckets[priority.index].popLast()
        }
    }

    private func hasRoom(_ members: Members) -> Bool { members.runningCount < limitPerGroup }

    /// Removes an empty group, and elements that have left once they are the majority.
    private mutating func compact(_ index: Int) {
        if groups[index].isEmpty {
            groupIndices[groups[index].group] = nil
            unusedIndices.append(index)
        }
        let waitingCount = groups[index].waitingCount
        let limit = waitingCount == 0 ? 0 : 2 * waitingCount + 16
        guard groups[index].buckets.reduce(0, { $0 + $1.count }) > limit else { return }
        for priority in groups[index].buckets.indices {
            groups[index].buckets[priority].removeAll { waiting[$0.element]?.turn != $0.turn }
        }
    }
}

/// Runs a bounded number of operations at a time, and optionally starts them at a bounded rate.
///
/// `PriorityQueue` and `TokenBucket` decide; this type suspends and resumes the tasks.
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

    /// Admits nothing while `body` runs, so that cancelling one operation does not admit another that `body` cancels
    /// next.
    func hold(while body: () -> Void) {
        state.withLock { $0.queue.holds += 1 }
        body()
        update { queue in
            queue.holds -= 1
            return queue.admit()
        }
    }

    /// Waits until the operation is admitted or its task is cancelled.
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

    /// Admits as many more as there are tokens. Returns the time until the next token if something waits for it and no
    /// timer is set.
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

/// A limit of frequency: a burst at once, and a rate in the long run.
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
/// The only state is the time at which the bucket is full again, in exact durations, so that a token is available
/// exactly after `delay(at:)`.
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
