import EaselCodecs
import EaselCompatibility
import EaselCore
import EaselFoundation
import EaselTesting
import Synchronization
import Testing

/// Records callbacks as text, and returns them after the end.
private final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    private let end = Gate()

    func record(_ line: String) { lines.withLock { $0.append(line) } }

    func record(_ image: DecodedImage?, _ error: ImageError?, _ source: ImageSource?, _ finished: Bool) {
        let what = image.map { "\($0.size.width)" } ?? error?.code.rawValue ?? "nothing"
        record("\(finished ? "finished" : "shown") \(what) \(source?.rawValue ?? "-")")
        if finished { end.open() }
    }

    var recorded: [String] { lines.withLock { $0 } }

    func waitForEnd() async throws -> [String] {
        try await end.wait()
        return recorded
    }
}

/// Loads from a closure.
private struct Loader: ImageLoading {
    let body: @Sendable (LoadContext) async throws(ImageError) -> LoadedData

    func canLoad(_ request: ImageRequest) -> Bool { true }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        try await body(context)
    }
}

/// A task executor that runs one job at a time and counts its jobs.
private final class SerialExecutor: TaskExecutor {
    private let queue = Mutex<[UnownedJob]>([])
    let runs = Mutex(0)

    func enqueue(_ job: consuming ExecutorJob) {
        runs.withLock { $0 += 1 }
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
struct CallbackTests {
    private let log = Log()
    private let request: ImageRequest

    init() throws { request = ImageRequest(try #require(URL(string: "http://images.test/a.png"))) }

    private func manager(
        _ body: @escaping @Sendable (LoadContext) async throws(ImageError) -> LoadedData
    ) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.loader = Loader(body: body)
        configuration.coders = .standard()
        return ImageManager(configuration: configuration)
    }

    private static func file(width: Int) throws(ImageError) -> LoadedData {
        let image = try TestImage.gradient(width, 1).image()
        return LoadedData(data: try PNGCoder().encode(image, EncodeOptions()), source: .network)
    }

    @MainActor
    private func load(_ manager: ImageManager, _ request: ImageRequest) -> ImageTask {
        manager.load(request) { [log] received, expected, _ in
            log.record("progress \(received) \(expected)")
        } completion: { [log] image, _, error, source, finished, url in
            MainActor.assertIsolated()
            #expect(url == request.url)
            log.record(image, error, source, finished)
        }
    }

    @Test("progress comes before the end, with -1 for an unknown length, on the main actor (S020, S049, S191)")
    func order() async throws {
        let manager = manager { context throws(ImageError) in
            context.report(received: 0, expected: nil)
            context.report(received: 3, expected: 7)
            return try Self.file(width: 1)
        }
        _ = await load(manager, request)
        #expect(try await log.waitForEnd() == ["progress 0 -1", "progress 3 7", "finished 1 network"])
    }

    @Test("on the main actor an image in memory is delivered before the call returns (X084, P018)")
    @MainActor
    func memory() async throws {
        let manager = manager { _ throws(ImageError) in try Self.file(width: 2) }
        _ = try await manager.load(request).response
        _ = load(manager, request)
        #expect(log.recorded == ["finished 2 memory"])
    }

    @Test("refreshCached first delivers the cached image, unfinished, and ends once (S068, R002)")
    func refresh() async throws {
        let width = Mutex(7)
        let manager = manager { _ throws(ImageError) in try Self.file(width: width.withLock { $0 }) }
        _ = try await manager.load(request).response
        width.withLock { $0 = 1 }
        _ = await load(manager, request.adding(.refreshCached))
        #expect(try await log.waitForEnd() == ["shown 7 memory", "finished 1 network"])
    }

    @Test("a cancelled load calls back once with cancelled (X058; S066 is not copied)")
    func cancel() async throws {
        let gate = Gate()
        let task = await load(
            manager { _ throws(ImageError) in
                do { try await gate.wait() } catch { throw .cancelled }
                return try Self.file(width: 1)
            }, request)
        task.cancel()
        task.cancel()
        #expect(try await log.waitForEnd() == ["finished cancelled -"])
    }

    @Test("an error has no image and no source (S095)")
    func failure() async throws {
        _ = await load(manager { _ throws(ImageError) in throw .status(404) }, request)
        #expect(try await log.waitForEnd() == ["finished status -"])
    }

    @Test("a custom task executor runs the callbacks one at a time (X021)")
    func executor() async throws {
        let executor = SerialExecutor()
        let manager = manager { context throws(ImageError) in
            context.report(received: 3, expected: 7)
            return try Self.file(width: 1)
        }
        manager.load(
            request, on: executor, progress: { [log] received, _, _ in log.record("progress \(received)") },
            completion: { [log] image, _, error, source, finished, _ in log.record(image, error, source, finished) })
        #expect(try await log.waitForEnd() == ["progress 3", "finished 1 network"])
        #expect(executor.runs.withLock { $0 } > 0)
    }
}
