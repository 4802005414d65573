import EaselFoundation
import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Coalescer: shared operations", .timeLimit(.minutes(1)))
struct CoalescerTests {
    private typealias Shared = Coalescer<String, Int>
    private let coalescer = Shared()
    private let runs = Recorder<String>()
    private let release = Gate()

    @Test("a thousand concurrent subscribers share one run, one is the leader, and all receive its value (B55)")
    func thousand() async {
        let operation = makeOperation(value: 7)
        let outcomes = Recorder<Int>()
        let results = await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    // Every subscriber receives the progress, either as an update or when it joins late.
                    let context = LoadContext(priority: .normal) { _ in outcomes.record(number) }
                    return try? await coalescer.run("a", context, operation)
                }
            }
            await outcomes.wait { Set($0).count == 1_000 }
            release.open()
            return await group.reduce(into: [Coalesced<Int>?]()) { $0.append($1) }
        }
        #expect(runs.events == ["begun"])
        #expect(results.compactMap { $0?.value } == [Int](repeating: 7, count: 1_000))
        #expect(results.filter { $0?.role == .leader }.count == 1)
        #expect(coalescer.count == 0)
    }

    @Test("the leader starts the work on its own thread, up to the first suspension")
    func beginsAtOnce() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let asking = Self.thread
        let isSame = try await coalescer.run("a", LoadRecorder().context) { _ throws(ImageError) in
            Self.thread == asking ? 1 : 0
        }
        #expect(isSame.value == 1)
    }

    private static var thread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    @Test("the work fails without waiting if no thread can be started")
    func noThreads() async {
        let pool = WorkerPool(name: "test-none", threadCount: 2) { _, _ in false }
        let coalescer = Shared(pool: pool)
        let runs = Recorder<String>()
        await #expect(throws: ImageError.unsupported("No thread is available to load the image.")) {
            try await coalescer.run("a", LoadRecorder().context) { _ throws(ImageError) in
                runs.record("begun")
                return 1
            }
        }
        #expect(runs.events.isEmpty)
        #expect(coalescer.count == 0)
    }

    @Test("work runs at the task priority of its load", arguments: LoadPriority.allCases)
    func taskPriority(priority: LoadPriority) async throws {
        let used = try await coalescer.run("a", LoadRecorder(priority: priority).context) { _ throws(ImageError) in
            await Task.yield()
            return Int(Task.currentPriority.rawValue)
        }
        #expect(used.value == Int(priority.taskPriority.rawValue))
    }

    @Test("the task priority of running work rises when a load with higher priority joins (B60)")
    func raisedTaskPriority() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let (start, raised) = (Gate(), Gate())
        let operation: Shared.Operation = { context throws(ImageError) in
            try await context.observeDemand({ if context.priority == .high { raised.open() } }) {
                () throws(ImageError) in
                start.open()
                do { try await raised.wait() } catch { throw .cancelled }
                return Int(Task.currentPriority.rawValue)
            }
        }
        async let low = coalescer.run("a", LoadRecorder(priority: .low).context, operation)
        try await start.wait()
        async let high = coalescer.run("a", LoadRecorder(priority: .high).context, operation)
        #expect(try await [low.value, high.value] == [Int](repeating: Int(TaskPriority.high.rawValue), count: 2))
    }

    @Test("each key has a separate run")
    func keys() async throws {
        let values = try await withThrowingTaskGroup { group in
            for key in ["a", "b", "c"] {
                group.addTask {
                    try await coalescer.run(key, LoadRecorder().context) { _ throws(ImageError) in
                        runs.record(key)
                        return 1
                    }.value
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(values == 3)
        #expect(runs.events.sorted() == ["a", "b", "c"])
    }

    @Test("cancelling one subscriber, even the leader, keeps the run for the others (B59, B63)", arguments: [0, 1, 2])
    func cancelOne(cancelled: Int) async throws {
        let (waits, _) = try await makeSubscribers(3)
        waits[cancelled].cancel()
        #expect(await waits[cancelled].value == .failure(.cancelled))
        #expect(coalescer.count == 1)
        release.open()
        for (number, wait) in waits.enumerated() where number != cancelled { #expect(await wait.value == .success(7)) }
        #expect(runs.events == ["begun"])
        #expect(coalescer.count == 0)
    }

    @Test("cancelling all subscribers cancels the run (B59)")
    func cancelAll() async throws {
        let (waits, _) = try await makeSubscribers(3)
        for wait in waits { wait.cancel() }
        for wait in waits { #expect(await wait.value == .failure(.cancelled)) }
        #expect(coalescer.count == 0)
        await runs.wait(for: 2)
        #expect(runs.events == ["begun", "cancelled"])
    }

    @Test("a subscriber after a cancelled run starts a new one, and the old one's end does not affect it")
    func afterCancel() async throws {
        let first = Gate()
        let (heldBack, end) = (Gate(), Gate())
        let old = Task {
            try await coalescer.run("a", LoadRecorder().context) { _ throws(ImageError) in
                first.open()
                // The operation ignores its cancellation.
                await Task { try? await heldBack.wait() }.value
                end.open()
                return 1
            }
        }
        try await first.wait()
        old.cancel()
        _ = await old.result
        let new = wait(LoadRecorder(), makeOperation(value: 7))
        await runs.wait(for: 1)
        heldBack.open()
        try await end.wait()
        #expect(coalescer.count == 1)
        release.open()
        #expect(await new.value == .success(7))
    }

    @Test("concurrent joins, cancellations and ends lose no subscriber (B64)")
    func races() async {
        for round in 0..<30 {
            let finishedCount = await withTaskGroup { group in
                for number in 0..<40 {
                    let wait = Task {
                        try? await coalescer.run("\(number % 2)", LoadRecorder().context) { _ throws(ImageError) in
                            if number % 5 == 0 { await Task.yield() }
                            return number
                        }.value
                    }
                    if (number + round) % 3 == 0 {
                        group.addTask {
                            wait.cancel(); return false
                        }
                    }
                    group.addTask {
                        _ = await wait.value
                        return true
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(finishedCount == 40)
            #expect(coalescer.count == 0)
        }
    }

    @Test("a subscriber in a cancelled task ends together with its run")
    func cancelledBefore() async {
        let started = Gate()
        let wait = Task {
            try? await started.wait()
            return await outcome(LoadRecorder(), makeOperation(value: 7))
        }
        wait.cancel()
        started.open()
        #expect(await wait.value == .failure(.cancelled))
        #expect(coalescer.count == 0)
    }

    @Test("the error of a run reaches each subscriber once (B62)")
    func failure() async throws {
        let (waits, _) = try await makeSubscribers(5, outcome: .failure(.status(404)))
        release.open()
        for wait in waits { #expect(await wait.value == .failure(.status(404))) }
        #expect(runs.events == ["begun"])
    }

    @Test("after a temporary failure the followers share one new run (B62)")
    func retry() async throws {
        let (waits, _) = try await makeSubscribers(4, outcome: .failure(.timedOut(.idle)))
        release.open()
        for wait in waits { #expect(await wait.value == .failure(.timedOut(.idle))) }
        #expect(runs.events == ["begun", "begun"])
        #expect(coalescer.count == 0)
    }

    @Test("a subscriber without a task is called once, with the value or its cancellation (P003, S164)")
    func withoutWaiting() async throws {
        let outcomes = Recorder<Result<Int, ImageError>>()
        let subscribers = (0..<3).map { _ in coalescer.subscribe(Listener(outcomes, makeOperation(value: 7)), to: "a") }
        subscribers[1].cancel()
        #expect(outcomes.events == [.failure(.cancelled)])
        release.open()
        await outcomes.wait(for: 3)
        for subscriber in subscribers { subscriber.cancel() }
        #expect(outcomes.events == [.failure(.cancelled), .success(7), .success(7)])
        #expect(runs.events == ["begun"])
    }

    /// A subscriber without a task.
    private final class Listener: Subscriber {
        let demand = LoadDemand(priority: .normal)
        let observation: Observation? = nil
        let operation: Shared.Operation
        private let outcomes: Recorder<Result<Int, ImageError>>

        init(_ outcomes: Recorder<Result<Int, ImageError>>, _ operation: @escaping Shared.Operation) {
            self.outcomes = outcomes
            self.operation = operation
        }

        func willSendRequest() -> Bool { true }
        func didReceive(_ update: LoadUpdate) {}
        func didFinish(_ outcome: Result<Coalesced<Int>, ImageError>) { outcomes.record(outcome.map(\.value)) }
    }

    /// Returns subscribers of one run that ends with the outcome once it is released.
    private func makeSubscribers(
        _ count: Int, outcome: Result<Int, ImageError> = .success(7)
    ) async throws -> ([Task<Result<Int, ImageError>, Never>], [LoadRecorder]) {
        let recorders = (0..<count).map { _ in LoadRecorder() }
        var waits: [Task<Result<Int, ImageError>, Never>] = []
        for recorder in recorders {
            waits.append(wait(recorder, makeOperation(outcome)))
            await recorder.waitForProgress()
        }
        return (waits, recorders)
    }

    private func wait(
        _ recorder: LoadRecorder, _ operation: @escaping Shared.Operation
    ) -> Task<Result<Int, ImageError>, Never> {
        Task { await outcome(recorder, operation) }
    }

    private func outcome(_ recorder: LoadRecorder, _ operation: @escaping Shared.Operation) async -> Result<
        Int, ImageError
    > {
        do throws(ImageError) {
            return .success(try await coalescer.run("a", recorder.context, operation).value)
        } catch {
            return .failure(error)
        }
    }

    private func makeOperation(value: Int) -> Shared.Operation { makeOperation(.success(value)) }

    /// Returns an operation that records its start, waits for its release, and ends when it is cancelled.
    private func makeOperation(_ outcome: Result<Int, ImageError>) -> Shared.Operation {
        { [runs, release] context throws(ImageError) in
            runs.record("begun")
            context.report(received: 1, expected: 2)
            do {
                try await release.wait()
            } catch {
                runs.record("cancelled")
                throw ImageError.cancelled
            }
            return try outcome.get()
        }
    }
}
