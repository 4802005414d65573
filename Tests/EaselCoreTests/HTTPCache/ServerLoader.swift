import EaselTesting
import FoundationEssentials
import Synchronization
import TestSupport

@testable import EaselCore

/// A loader that acts as an HTTP server: it returns its file, or a 304 if the request has the current entity tag.
final class ServerLoader: ImageLoading {
    struct State {
        var file = TestCoder.file()
        var headers: HTTPHeaders = ["ETag": "\"1\""]
        var error: ImageError?
        var conditionals: [Bool] = []
        var gate: Gate?
        /// Whether the loader returns no HTTP response.
        var isPlain = false
    }

    private let state = Mutex(State())
    private let date: @Sendable () -> Date

    init(date: @escaping @Sendable () -> Date, _ control: String) {
        self.date = date
        change { $0.headers["Cache-Control"] = control }
    }

    /// Whether each request so far was conditional.
    var conditionals: [Bool] { state.withLock { $0.conditionals } }

    func change(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func replace(value: UInt8 = 7) {
        change {
            $0.file = TestCoder.file(value: value)
            $0.headers["ETag"] = "\"\(value)\""
        }
    }

    func canLoad(_ request: ImageRequest) -> Bool { true }

    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let state = state.withLock { state in
            state.conditionals.append(request.http.stored?.hasValidator == true)
            return state
        }
        context.report(received: 0, expected: nil)
        do { try await state.gate?.wait() } catch { throw .cancelled }
        if let error = state.error { throw error }
        if state.isPlain { return LoadedData(data: state.file, source: .network) }
        let now = date()
        var timeline = LoadTimeline()
        timeline.requests = 1
        if let stored = request.http.stored, stored.entityTag?.text == state.headers["ETag"] {
            let confirmed = stored.update(
                by: state.headers, request: request.http.headers, requested: now, received: now)
            if let confirmed { return .notModified(confirmed, timeline: timeline) }
        }
        let response = StoredResponse(
            status: 200, headers: state.headers, url: "http://example.com/a.test", request: request.http.headers,
            requested: now, received: now)
        return LoadedData(data: state.file, source: .network, timeline: timeline, response: response)
    }
}

/// Managers that share a server and a cache, with a manual clock.
struct PolicyFixture {
    let clock = ManualClock()
    let cache: ScriptedCache
    let server: ServerLoader
    let coder = TestCoder()
    let log = WarningLog()
    let manager: ImageManager
    private let loadClock: LoadClock

    init(_ control: String, cache: ScriptedCache = ScriptedCache()) {
        self.cache = cache
        loadClock = LoadClock(clock)
        server = ServerLoader(date: loadClock.date, control)
        manager = Self.manager(cache, server, coder, log, loadClock)
    }

    /// Returns a manager with the same files and an empty memory cache, like another process.
    func anotherProcess() -> ImageManager {
        cache.forgetImages()
        return Self.manager(cache, server, coder, log, loadClock)
    }

    func request(
        _ policy: CachePolicy = .standard, _ configure: (inout ImageRequest) -> Void = { _ in }
    ) throws -> ImageRequest {
        try ManagerFixture.request {
            $0.http.policy = policy
            configure(&$0)
        }
    }

    /// Returns the value of every byte of the loaded image.
    func value(_ request: ImageRequest) async throws(ImageError) -> UInt8 {
        try await value(manager, request)
    }

    func value(_ manager: ImageManager, _ request: ImageRequest) async throws(ImageError) -> UInt8 {
        try await manager.load(request).response.image.pixels[0, 0].blue
    }

    private static func manager(
        _ cache: ScriptedCache, _ server: ServerLoader, _ coder: TestCoder, _ log: WarningLog, _ clock: LoadClock
    ) -> ImageManager {
        var configuration = ImageManager.Configuration()
        configuration.cache = cache
        configuration.loader = server
        configuration.coders = CoderRegistry(decoders: [coder], encoders: [coder])
        configuration.observers = [log]
        configuration.clock = clock
        return ImageManager(configuration: configuration)
    }
}

extension TargetSize {
    static let small = TargetSize.pixels(width: 4, height: 3)
    static let tiny = TargetSize.pixels(width: 2, height: 1)
}
