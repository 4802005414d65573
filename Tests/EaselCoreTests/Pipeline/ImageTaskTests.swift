import EaselTesting
import Testing

@testable import EaselCore

@Suite("Image task", .timeLimit(.minutes(1)))
struct ImageTaskTests {
    private let task: ImageTask
    private let response: ImageResponse

    init() throws {
        task = ImageTask(try DownloaderFixture.request())
        response = try TaskStateTests.response()
    }

    @Test("the first end stays (B101)")
    func firstEnd() async throws {
        task.finish(.success(response))
        task.finish(.failure(.status(404)))
        #expect(try await task.response.image.size == response.image.size)
    }

    @Test("is cancelled as soon as the call returns, and twice is harmless (B101, S060, X059)")
    func cancel() async {
        task.cancel()
        #expect(task.isCancelled)
        task.cancel()
        await #expect(throws: ImageError.cancelled) { try await task.response }
        task.finish(.success(response))
        #expect(task.isCancelled)
    }

    @Test("cancelling after the end changes nothing (B101, S194)")
    func cancelAfterEnd() async throws {
        task.finish(.success(response))
        task.cancel()
        #expect(!task.isCancelled)
        #expect(try await task.response.image.size == response.image.size)
    }

    @Test("of two who end it at once one does, and its manager knows of it (B101)")
    func endedTwiceAtOnce() async throws {
        let fixture = ManagerFixture()
        for number in 0..<3_000 {
            let task = fixture.manager.load(try ManagerFixture.request("http://example.com/\(number).test"))
            // The load runs on other threads, and is cancelled a little later each time.
            for _ in 0..<number % 8 { await Task.yield() }
            task.cancel()
            let response = try? await task.response
            #expect(task.isCancelled == (response == nil))
        }
        await eventually { !fixture.manager.isRunning }
    }

    @Test("cancelling cancels its operation (S195)")
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

    @Test("a load that is cancelled before it begins ends, and asks nobody (S195)")
    func cancelledBefore() async throws {
        let fixture = ManagerFixture()
        let task = fixture.manager.load(try ManagerFixture.request()) { $0.cancel() }
        #expect(await task.outcome.error == .cancelled)
        #expect(!fixture.manager.isRunning)
        #expect(fixture.loader.requests.isEmpty)
    }

    @Test("cancelling the task that waits for the response cancels the load, once it waits or before (B103)")
    func surroundingTask() async {
        for _ in 0..<50 {
            let task = ImageTask(task.request)
            let waiting = Task { () async -> Bool in (try? await task.response) == nil }
            waiting.cancel()
            #expect(await waiting.value)
            #expect(task.isCancelled)
        }
    }

    @Test("an end that crosses the cancellation of who waits for it blocks nobody (B103)")
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

    @Test("a response that is waited for by several ends for all")
    func severalWaits() async {
        await withTaskGroup { group in
            for _ in 0..<20 { group.addTask { (try? await task.response) != nil } }
            task.finish(.success(response))
            for await succeeded in group { #expect(succeeded) }
        }
    }

    @Test("the priority is live, and the request's at first (B60)")
    func priority() async throws {
        let (begun, release) = (Recorder<LoadContext>(), Gate())
        let fixture = ManagerFixture(
            loader: ScriptedLoader { _, context throws(ImageError) in
                begun.record(context)
                try? await release.wait()
                throw .notCached
            })
        let task = fixture.manager.load(try ManagerFixture.request { $0.priority = .low })
        #expect(task.priority == .low)
        await begun.wait(for: 1)
        #expect(begun.events.map(\.priority) == [.low])
        task.priority = .high
        #expect(task.priority == .high)
        #expect(begun.events.map(\.priority) == [.high])
        release.open()
        _ = await task.outcome
    }

    @Test("an operation that goes on for others does not keep a load that was cancelled (S176)")
    func released() async throws {
        let release = Gate()
        let fixture = ManagerFixture(loader: .held(by: release))
        let other = fixture.manager.load(try ManagerFixture.request())
        var task: ImageTask? = fixture.manager.load(try ManagerFixture.request())
        weak let weakTask = task
        await task?.firstProgress()
        task?.cancel()
        task = nil
        await eventually { weakTask == nil }
        release.open()
        _ = try await other.response
    }
}

extension ImageTask {
    /// What its work would report.
    func report(received: Int, expected: Int?) {
        didReceive(.progress(LoadProgress(received: received, expected: expected)))
    }
}
