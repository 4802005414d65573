import EaselTesting
import TestSupport
import Testing

@testable import EaselCore

@Suite("Image task", .timeLimit(.minutes(5)))
struct ImageTaskTests {
    private let task: ImageTask
    private let response: ImageResponse

    init() throws {
        task = ImageTask(try DownloaderFixture.request())
        response = try TaskStateTests.response()
    }

    @Test("the first outcome is final (B101)")
    func firstEnd() async throws {
        task.finish(.success(response))
        task.finish(.failure(.status(404)))
        #expect(try await task.response.image.size == response.image.size)
    }

    @Test("a task is cancelled as soon as the call returns, and cancelling again has no effect (B101, S060, X059)")
    func cancel() async {
        task.cancel()
        #expect(task.isCancelled)
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        task.finish(.success(response))
        #expect(task.isCancelled)
    }

    @Test("cancelling after the end has no effect (B101, S194)")
    func cancelAfterEnd() async throws {
        task.finish(.success(response))
        task.cancel()
        #expect(!task.isCancelled)
        #expect(try await task.response.image.size == response.image.size)
    }

    @Test("a concurrent end and cancellation have one outcome, and the manager is updated (B101)")
    func endedTwiceAtOnce() async throws {
        let fixture = ManagerFixture()
        for number in 0..<3_000 {
            let task = fixture.manager.load(try ManagerFixture.request("http://example.com/\(number).test"))
            // Each cancellation comes a little later than the one before.
            for _ in 0..<number % 8 { await Task.yield() }
            task.cancel()
            let response = try? await task.response
            #expect(task.isCancelled == (response == nil))
        }
        try await until { !fixture.manager.isRunning }
    }

    @Test("cancelling a load cancels its operation (S195)")
    func work() async throws {
        let cancelled = Gate()
        let fixture = ManagerFixture(
            loader: ScriptedLoader { _, context throws(ImageError) in
                context.report(received: 1, expected: 2)
                try? await Gate().wait()
                cancelled.open()
                throw .cancelled
            })
        let task = fixture.manager.load(try ManagerFixture.request())
        await task.firstProgress()
        task.cancel()
        try await cancelled.wait()
        #expect(task.isCancelled && !fixture.manager.isRunning)
    }

    @Test("a load cancelled before it begins ends without a request (S195)")
    func cancelledBefore() async throws {
        let fixture = ManagerFixture()
        let task = fixture.manager.load(try ManagerFixture.request()) { $0.cancel() }
        #expect(await task.outcome.error == .cancelled)
        #expect(!fixture.manager.isRunning)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("cancelling the Swift task that waits for the response cancels the load, even before it waits (B103)")
    func surroundingTask() async {
        for _ in 0..<50 {
            let task = ImageTask(task.request)
            let waiting = Task { () async -> Bool in (try? await task.response) == nil }
            waiting.cancel()
            #expect(await waiting.value)
            #expect(task.isCancelled)
        }
    }

    @Test("a concurrent end and cancellation of the waiting task block nothing (B103)")
    func crossing() async {
        for _ in 0..<300 {
            let task = ImageTask(task.request)
            await withTaskGroup { group in
                let waiting = Task { () async -> Bool in (try? await task.response) != nil }
                group.addTask { waiting.cancel() }
                group.addTask { task.finish(.success(response)) }
                #expect(await waiting.value == !task.isCancelled)
            }
        }
    }

    @Test("several waits for a response all end")
    func severalWaits() async {
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { (try? await task.response) != nil } }
            task.finish(.success(response))
            for await succeeded in group { #expect(succeeded) }
        }
    }

    @Test("the priority is that of the request at first, and can be changed (B60)")
    func priority() async throws {
        let (contexts, release) = (Recorder<LoadContext>(), Gate())
        let fixture = ManagerFixture(
            loader: ScriptedLoader { _, context throws(ImageError) in
                contexts.record(context)
                try? await release.wait()
                throw .notCached
            })
        let task = fixture.manager.load(try ManagerFixture.request { $0.priority = .low })
        #expect(task.priority == .low)
        await contexts.wait(for: 1)
        #expect(contexts.events.map(\.priority) == [.low])
        task.priority = .high
        #expect(task.priority == .high)
        #expect(contexts.events.map(\.priority) == [.high])
        release.open()
        _ = await task.outcome
    }

    @Test("an operation that continues for other loads does not retain a cancelled load (S176)")
    func released() async throws {
        let release = Gate()
        let fixture = ManagerFixture(loader: .blocked(by: release))
        let other = fixture.manager.load(try ManagerFixture.request())
        var task: ImageTask? = fixture.manager.load(try ManagerFixture.request())
        weak let weakTask = task
        await task?.firstProgress()
        task?.cancel()
        task = nil
        try await until { weakTask == nil }
        release.open()
        _ = try await other.response
    }
}

extension ImageTask {
    /// Reports progress like the load's operation.
    func report(received: Int, expected: Int?) {
        didReceive(.progress(LoadProgress(received: received, expected: expected)))
    }
}
