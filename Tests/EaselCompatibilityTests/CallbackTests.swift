import EaselTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import EaselCore

/// A task executor that runs one job at a time and counts its jobs.
private final class SerialExecutor: TaskExecutor {
    private let queue = Mutex<[UnownedJob]>([])
    let runs = Counter()

    func enqueue(_ job: consuming ExecutorJob) {
        runs.add()
        let isFirst = queue.withLock { [job = UnownedJob(job)] queue in
            queue.append(job)
            return queue.count == 1
        }
        guard isFirst else { return }
        Task.detached { [self] in
            while let job = queue.withLock({ $0.first }) {
                job.runSynchronously(on: asUnownedTaskExecutor())
                queue.withLock { _ = $0.removeFirst() }
            }
        }
    }
}

@Suite("Manager: callbacks (S051, X057)", .timeLimit(.minutes(1)))
struct CallbackFormTests {
    private typealias Log = Recorder<String>

    private static func word(
        _ image: DecodedImage?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool
    ) -> String {
        let what = image.map { "\($0.pixels[0, 0].blue)" } ?? error?.code ?? "nothing"
        return "\(finished ? "finished" : "shown") \(what) \(source?.rawValue ?? "-")"
    }

    @MainActor
    private static func load(_ manager: ImageManager, _ request: ImageRequest, _ log: Log) -> ImageTask {
        manager.load(request) { received, expected, _ in
            log.record("progress \(received) \(expected)")
        } completion: { image, _, error, source, finished, url in
            #expect(url == request.url)
            log.record(word(image, error, source, finished))
        }
    }

    @Test("progress comes before the end, with -1 for an unknown length (S020, S191)")
    func order() async throws {
        let loader = ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 0, expected: nil)
            context.report(received: 3, expected: 7)
            return LoadedData(data: TestCoder.file(value: 1), source: .network)
        }
        let log = Log()
        _ = await Self.load(ManagerFixture(loader: loader).manager, try ManagerFixture.request(), log)
        await log.wait(for: 3)
        #expect(log.events == ["progress 0 -1", "progress 3 7", "finished 1 network"])
    }

    @Test("on the main actor an image in memory is delivered before the call returns (X084, P018)")
    @MainActor
    func memory() async throws {
        let fixture = ManagerFixture()
        let request = try ManagerFixture.request()
        _ = try await fixture.manager.load(request).response
        let log = Log()
        _ = Self.load(fixture.manager, request, log)
        #expect(log.events == ["finished 255 memory"])
    }

    @Test("refreshCached first delivers the cached image, unfinished, and ends once (S068, R002)")
    func refresh() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader(file: TestCoder.file(value: 1)))
        let request = try ManagerFixture.request().adding(.refreshCached)
        fixture.cache.put(TestCoder.file(value: 7), for: request.originalKey)
        let log = Log()
        _ = await Self.load(fixture.manager, request, log)
        await log.wait(for: 2)
        #expect(log.events == ["shown 7 disk", "finished 1 network"])
    }

    @Test("a cancelled load calls back once with cancelled (X058; S066 is not copied)")
    func cancel() async throws {
        let log = Log()
        let task = await Self.load(ManagerFixture(loader: .held(by: Gate())).manager, try ManagerFixture.request(), log)
        task.cancel()
        task.cancel()
        await log.wait { $0.contains("finished cancelled -") }
        #expect(log.events.filter { $0.hasPrefix("finished") } == ["finished cancelled -"])
    }

    @Test("an error has no image and no source (S095)")
    func failure() async throws {
        let fixture = ManagerFixture(loader: ScriptedLoader { _, _ throws(ImageError) in throw .status(404) })
        let log = Log()
        _ = await Self.load(fixture.manager, try ManagerFixture.request(), log)
        await log.wait(for: 1)
        #expect(log.events == ["finished status -"])
    }

    @Test("a custom task executor runs the callbacks one at a time (X021)")
    func executor() async throws {
        let executor = SerialExecutor()
        let log = Log()
        let loader = ScriptedLoader { _, context throws(ImageError) in
            context.report(received: 3, expected: 7)
            return LoadedData(data: TestCoder.file(value: 1), source: .network)
        }
        ManagerFixture(loader: loader).manager.load(
            try ManagerFixture.request(), on: executor,
            progress: { received, _, _ in log.record("progress \(received)") },
            completion: { image, _, error, source, finished, _ in
                log.record(Self.word(image, error, source, finished))
            })
        await log.wait(for: 2)
        #expect(log.events == ["progress 3", "finished 1 network"])
        #expect(executor.runs.count > 0)
    }
}

/// Background time that a test can end.
private final class GrantedTime: BackgroundTime {
    let log = Recorder<String>()
    private let expiry = Mutex<(@Sendable () -> Void)?>(nil)

    func begin(_ expired: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        log.record("begin")
        expiry.withLock { $0 = expired }
        return { [log] in log.record("end") }
    }

    func expire() { expiry.withLock { $0 }?() }
}

@Suite("Manager: background time (S082, X145)", .timeLimit(.minutes(1)))
struct BackgroundTimeTests {
    private let time = GrantedTime()
    private let gate = Gate()

    private func manager() -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.loader = ScriptedLoader.held(by: gate)
        configuration.coders = CoderRegistry(decoders: [TestCoder()])
        configuration.backgroundTime = time
        return ImageManager(configuration: configuration)
    }

    @Test("a load with continueInBackground requests background time and ends it when it ends")
    func covered() async throws {
        let task = manager().load(try ManagerFixture.request().adding(.continueInBackground))
        #expect(time.log.events == ["begin"])
        gate.open()
        _ = try await task.response
        #expect(time.log.events == ["begin", "end"])
    }

    @Test("expired background time cancels the load")
    func expired() async throws {
        let task = manager().load(try ManagerFixture.request().adding(.continueInBackground))
        time.expire()
        #expect(await task.outcome.error == .cancelled)
        #expect(time.log.events == ["begin", "end"])
    }

    @Test("a load without continueInBackground requests no time and still shares the work")
    func shared() async throws {
        let manager = manager()
        let tasks = try [LoadOptions.continueInBackground, []].map {
            manager.load(try ManagerFixture.request().adding($0))
        }
        for task in tasks { await task.firstProgress() }
        time.expire()
        gate.open()
        #expect(await tasks[0].outcome.error == .cancelled)
        #expect(try await tasks[1].response.source == .network)
        #expect(time.log.events == ["begin", "end"])
    }
}
