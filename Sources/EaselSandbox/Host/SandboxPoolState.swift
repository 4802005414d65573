/// The kinds of workers.
enum WorkerKind: UInt8, Sendable, Hashable, CaseIterable {
    case raster
    /// Draws SVG, and can read fonts.
    case drawing
}

/// The state of a sandbox's workers, by number. A pure value: the time is an argument.
struct SandboxPoolState {
    enum Decision: Hashable {
        /// Use this idle worker.
        case use(Int)
        /// Start a worker with this number, and close an idle one if given.
        case start(Int, closing: Int?)
        /// Wait until a worker is released.
        case wait
        /// Wait for this time, because many workers have crashed.
        case pause(Duration)
    }

    private struct Worker {
        var kind: WorkerKind
        var isBusy = true
        var idleSince = Duration.zero
    }

    let capacity: Int
    let idleTime: Duration
    private var workers: [Int: Worker] = [:]
    private var lastNumber = 0
    private var crashes: [Duration] = []

    init(capacity: Int, idleTime: Duration) {
        self.capacity = capacity
        self.idleTime = idleTime
    }

    var count: Int { workers.count }

    /// Acquires a worker.
    ///
    /// - Parameter preferred: The worker that has the animation of the job open. If it is busy, the caller waits for
    ///   it.
    mutating func acquire(_ kind: WorkerKind, preferring preferred: Int? = nil, at now: Duration) -> Decision {
        if let preferred, let worker = workers[preferred] {
            return worker.isBusy ? .wait : use(preferred)
        }
        // The most recently used worker most likely has its data in processor caches. The others become idle and end.
        if let idle = idleWorkers.last(where: { workers[$0]?.kind == kind }) { return use(idle) }
        var closing: Int?
        if workers.count >= capacity {
            guard let other = idleWorkers.first else { return .wait }
            closing = other
        }
        let pause = pauseBeforeStart(at: now)
        guard pause <= .zero else { return .pause(pause) }
        if let closing { workers[closing] = nil }
        lastNumber += 1
        workers[lastNumber] = Worker(kind: kind)
        return .start(lastNumber, closing: closing)
    }

    /// Makes a worker idle.
    mutating func release(_ number: Int, at now: Duration) {
        workers[number]?.isBusy = false
        workers[number]?.idleSince = now
    }

    /// Removes a worker that was closed.
    mutating func remove(_ number: Int) { workers[number] = nil }

    /// Removes a worker that crashed, and counts the crash.
    mutating func removeCrashed(_ number: Int, at now: Duration) {
        workers[number] = nil
        crashes.append(now)
        crashes.removeAll { $0 + Self.crashWindow < now }
    }

    /// Removes the workers that have been idle for `idleTime`. Returns them, and whether any worker remains.
    mutating func sweep(at now: Duration) -> (removed: [Int], hasRemaining: Bool) {
        let removed = idleWorkers.filter { number in workers[number].map { $0.idleSince + idleTime <= now } ?? false }
        for number in removed { workers[number] = nil }
        return (removed, !workers.isEmpty)
    }

    private mutating func use(_ number: Int) -> Decision {
        workers[number]?.isBusy = true
        return .use(number)
    }

    /// The idle workers, the least recently used first.
    private var idleWorkers: [Int] {
        workers.filter { !$0.value.isBusy }.sorted { $0.value.idleSince < $1.value.idleSince }.map(\.key)
    }

    /// Returns the pause before the next start. From the tenth crash within a minute, the pause after the last crash
    /// doubles with each crash, up to two seconds.
    private func pauseBeforeStart(at now: Duration) -> Duration {
        let recent = crashes.count { $0 + Self.crashWindow >= now }
        guard recent >= Self.tolerableCrashes, let last = crashes.last else { return .zero }
        let steps = min(recent - Self.tolerableCrashes, 5)
        return last + .milliseconds(62.5 * Double(1 << steps)) - now
    }

    private static let crashWindow = Duration.seconds(60)
    private static let tolerableCrashes = 10
}
