#if Sandbox
import CEaselSandbox
import Dispatch
import EaselCore
import EaselFoundation
import Synchronization

/// An object that runs jobs in workers. Calls block until the job is done. Workers are started when needed, and stopped
/// when idle.
final class SandboxRunner: Sendable {
    private struct State {
        var pool: SandboxPoolState
        var handles: [Int: WorkerHandle] = [:]
        var waitingCount = 0
        var statistics = Sandbox.Statistics()
        var status: Sandbox.Status?
        var isSwept = false
    }

    private let configuration: Sandbox.Configuration
    private let state: Mutex<State>
    /// The process that starts workers. Locked while that process is started.
    private let zygote = Mutex<Zygote?>(nil)
    private let released = DispatchSemaphore(value: 0)
    private let sessions = Atomic<UInt64>(0)
    private let start = ContinuousClock.now

    init(_ configuration: Sandbox.Configuration) {
        self.configuration = configuration
        state = Mutex(
            State(
                pool: SandboxPoolState(
                    capacity: max(1, configuration.maximumWorkers), idleTime: configuration.idleTime)))
    }

    private var now: Duration { .now - start }

    var statistics: Sandbox.Statistics { state.withLock { $0.statistics } }
    var workerCount: Int { state.withLock { $0.pool.count } }

    func newSession() -> SandboxSession { SandboxSession(number: sessions.add(1, ordering: .relaxed).newValue) }

    func countUnprotected() { state.withLock { $0.statistics.unprotected += 1 } }

    func status() -> Sandbox.Status {
        if let status = state.withLock({ $0.status }) { return status }
        do throws(SandboxFailure) {
            let worker = try acquire(.raster, preferring: nil) { false }
            release(worker, after: nil)
        } catch {
            switch error {
            case .unavailable(let reason), .exhausted(let reason): return .unavailable(reason: reason)
            default: return .unavailable(reason: "A worker ended before its first job.")
            }
        }
        return state.withLock { $0.status } ?? .unavailable(reason: "No worker has started.")
    }

    /// Runs a job.
    ///
    /// - Parameter read: Reads the result before the worker gets another job.
    func run<Value>(
        _ job: SandboxJob, _ operation: WorkerJob.Operation, resultLimit: Int,
        _ read: ([UInt8], SharedMemory) throws(SandboxFailure) -> Value
    ) throws(SandboxFailure) -> Value {
        state.withLock { $0.statistics.jobs += 1 }
        // For a frame of an open animation, the worker usually has the file already; for a preview, the earlier parts.
        let isOpen = job.session?.worker.withLock { $0 } != nil
        var file =
            isOpen && job.knownByteCount == 0
            ? nil : try SharedMemory.file(job.data, from: isOpen ? job.knownByteCount : 0)
        var isRepeated = false
        while true {
            let preferred = job.session?.worker.withLock { $0 }
            let worker = try acquire(
                job.format == .svg ? .drawing : .raster, preferring: preferred, job.options.isCancelled)
            do throws(SandboxFailure) {
                let (bytes, memory) = try worker.run(
                    operation, format: job.format.name, resultLimit: resultLimit,
                    deadline: .now + job.options.limits.decodingTime, isCancelled: job.options.isCancelled,
                    file: file,
                    completeFile: { () throws(SandboxFailure) in
                        if let file, file.isComplete { return file }
                        let complete = try SharedMemory.file(job.data)
                        file = complete
                        return complete
                    },
                    memory: { (bytes) throws(SandboxFailure) in try Self.check(bytes, job).1.byteCount })
                let value = try read(bytes, memory)
                job.session?.worker.withLock { $0 = worker.number }
                release(worker, after: nil)
                return value
            } catch {
                release(worker, after: error)
                // All workers have ended, for example because memory ran out. A single file cannot cause that.
                guard case .ended(nil) = error, !isRepeated else { throw error }
                isRepeated = true
            }
        }
    }

    // MARK: - Workers

    private func acquire(
        _ kind: WorkerKind, preferring preferred: Int?, _ isCancelled: () -> Bool
    ) throws(SandboxFailure) -> WorkerHandle {
        while true {
            if isCancelled() { throw .cancelled }
            let (decision, handle, closed) = state.withLock { [now] state in
                let decision = state.pool.acquire(kind, preferring: preferred, at: now)
                var (handle, closed): (WorkerHandle?, WorkerHandle?)
                switch decision {
                case .use(let number): handle = state.handles[number]
                case .start(_, let closing): closed = closing.flatMap { state.handles.removeValue(forKey: $0) }
                case .wait, .pause: state.waitingCount += 1
                }
                return (decision, handle, closed)
            }
            withExtendedLifetime(closed) {}
            switch decision {
            case .use(let number):
                if let handle, handle.isQuiet { return handle }
                // The worker has ended or sent an unexpected message.
                remove(number)
            case .start(let number, _): return try startWorker(kind, number)
            case .wait, .pause:
                // In short steps, to check for cancellation.
                _ = released.wait(timeout: .now() + .milliseconds(5))
                state.withLock { $0.waitingCount -= 1 }
            }
        }
    }

    private func startWorker(_ kind: WorkerKind, _ number: Int) throws(SandboxFailure) -> WorkerHandle {
        do throws(SandboxFailure) {
            let (handle, restrictions) = try forkWorker(kind, number)
            report(.available(restrictions))
            if configuration.policy == .require, let reason = restrictions.shortcoming { throw .unavailable(reason) }
            state.withLock { state in
                state.handles[number] = handle
                state.statistics.startedWorkers += 1
            }
            return handle
        } catch {
            remove(number)
            if case .unavailable(let reason) = error { report(.unavailable(reason: reason)) }
            throw error
        }
    }

    private func forkWorker(
        _ kind: WorkerKind, _ number: Int
    ) throws(SandboxFailure) -> (WorkerHandle, SandboxRestrictions) {
        let limit = max(configuration.memoryLimit.bytes, 1 << 20)
        let existing = zygote.withLock { $0 }
        if let existing {
            do throws(SandboxFailure) {
                return try existing.startWorker(kind, number: number, memoryLimit: limit)
            } catch {
                // If the process has ended, another is started.
                guard case .ended = error else { throw error }
            }
        }
        let program = try WorkerProgram.path(configuration.program)
        let new = try zygote.withLock { (zygote) throws(SandboxFailure) in
            if let zygote, zygote !== existing { return zygote }
            let new = try Zygote(program: program)
            zygote = new
            return new
        }
        do throws(SandboxFailure) {
            return try new.startWorker(kind, number: number, memoryLimit: limit)
        } catch {
            if case .ended = error { throw .unavailable("The worker program \(program) ended immediately.") }
            throw error
        }
    }

    /// Reports the first status. Later ones differ only while the system lacks resources.
    private func report(_ status: Sandbox.Status) {
        let isFirst = state.withLock { state in
            defer { state.status = state.status ?? status }
            return state.status == nil
        }
        if isFirst { configuration.reportStatus(status) }
    }

    /// Returns a worker to the pool, or stops it after most failures.
    private func release(_ worker: WorkerHandle, after failure: SandboxFailure?) {
        let keeps = (failure?.keepsWorker ?? true) && worker.isQuiet && !worker.isLarge
        let (removed, signals, startsSweep) = state.withLock { [now] state in
            switch failure {
            case .deadline: state.statistics.timeouts += 1
            case .cancelled: state.statistics.cancellations += 1
            default: break
            }
            if let cause = failure?.crashCause {
                state.statistics.crashes += 1
                state.statistics.crashesByCause[cause, default: 0] += 1
            }
            var removed: WorkerHandle?
            if keeps {
                state.pool.release(worker.number, at: now)
            } else {
                removed = state.handles.removeValue(forKey: worker.number)
                if failure?.isCrash == true {
                    state.pool.removeCrashed(worker.number, at: now)
                } else {
                    state.pool.remove(worker.number)
                }
            }
            let startsSweep = keeps && !state.isSwept
            if startsSweep { state.isSwept = true }
            return (removed, state.waitingCount, startsSweep)
        }
        withExtendedLifetime(removed) {}
        for _ in 0..<signals { released.signal() }
        if startsSweep { sweepUntilEmpty() }
    }

    private func remove(_ number: Int) {
        let (removed, signals) = state.withLock { state in
            state.pool.remove(number)
            return (state.handles.removeValue(forKey: number), state.waitingCount)
        }
        withExtendedLifetime(removed) {}
        for _ in 0..<signals { released.signal() }
    }

    // MARK: - Idle workers

    /// Sweeps on a thread, not in a task: Dispatch, which runs tasks, ends processes that cannot read /proc.
    private func sweepUntilEmpty() {
        // Short enough that the thread soon ends when the sandbox is released.
        let pause = min(max(configuration.idleTime / 4, .milliseconds(10)), .seconds(5))
        let isStarted = SystemThread.start("easel-sweep") { [weak self] in
            repeat { usleep(UInt32(clamping: Int(pause / .microseconds(1)))) } while self?.sweep() == true
        }
        // The next release tries again.
        if !isStarted { state.withLock { $0.isSwept = false } }
    }

    /// Stops workers that have been idle for too long. Returns whether any worker is left.
    private func sweep() -> Bool {
        let (removed, hasRemaining) = state.withLock { [now] state in
            let (numbers, hasRemaining) = state.pool.sweep(at: now)
            if !hasRemaining { state.isSwept = false }
            return (numbers.compactMap { state.handles.removeValue(forKey: $0) }, hasRemaining)
        }
        withExtendedLifetime(removed) {}
        return hasRemaining
    }
}
#endif
