import Easel
import EaselCore
import EaselHTTP
import Foundation

/// A run of a command that loads images, with the manager that its options describe.
@MainActor
final class Session {
    let console: Console
    /// The manager, with the cache that the options name.
    let manager: ImageManager
    let coders: CoderRegistry
    var statistics = RunStatistics()
    /// The tags of all requests.
    var tags: Set<String> = []
    /// The URLs to try if an input fails.
    var alternatives: [URL] = []
    /// The chart of load times, if it is printed at the end.
    var timing: TimingChart?

    private let options: LoadingOptions
    private let warnings = WarningLog()
    private let trace: TraceLog?
    private var hasFailed = false

    /// - Throws: If a required sandbox is not available.
    init(_ options: LoadingOptions, tracing: Bool = false) async throws {
        self.options = options
        trace = tracing ? TraceLog() : nil
        console = Console(style: .defaultStyle(isTerminal: StandardStream.error.canMoveCursor, json: options.json))
        let coders = try await Self.coders(options.sandbox)
        self.coders = coders
        manager = ImageManager { [warnings, trace] in
            $0.cache = ImageCache(folder: options.noCache ? nil : options.cacheLocation.folder())
            $0.loader = ImageLoaderChain([
                ImageDownloader {
                    $0.concurrentTransfersPerHost = options.concurrency
                    $0.concurrentTransfers = max($0.concurrentTransfers, options.concurrency)
                    $0.hostGuard.allowsPublicAddressesOnly = options.guardsAddresses
                    $0.hostGuard.exemptHosts = Set(options.guardAllow)
                },
                FileLoader(), DataURLLoader(),
            ])
            $0.coders = coders
            $0.observers.append(warnings)
            if let trace { $0.observers.append(trace) }
        }
    }

    private static func coders(_ option: SandboxOption) async throws -> CoderRegistry {
        do throws(ImageError) {
            return try await WorkerPool.pixels.run { @Sendable () throws(ImageError) in try option.coders() }
        } catch {
            StandardStream.error.write("easel: \(error.description)\n")
            throw ExitStatus.failed
        }
    }

    /// Returns the request for an input according to the options, changed by `configure`.
    ///
    /// Only original files are cached on disk. A smaller image made from the original is always the same; one stored in
    /// a lossy format is not.
    func request(for input: ImageInput, _ configure: (inout ImageRequest) -> Void = { _ in }) -> ImageRequest {
        var request = ImageRequest(input.url)
        request.options = [.waitStoreCache]
        if options.refresh { request.options.insert(.refreshCached) }
        request.http.policy = options.policy.policy
        if options.stopWhenSufficient { request.options.insert(.stopWhenSufficient) }
        if options.insecure { request.options.insert(.allowInvalidCertificates) }
        for field in options.header { request.http.headers.append(name: field.name, value: field.value) }
        request.http.timeouts = HTTPTimeouts(connect: .seconds(options.timeout), idle: .seconds(options.timeout))
        request.retry = .exponential(attempts: options.retries)
        request.limits = ImageLimits(pixels: options.maxPixels, bytes: options.maxBytes)
        request.cache.tags = tags
        request.alternatives = alternatives
        configure(&request)
        let levels: CacheLevels = options.noCache ? [] : .disk
        let isWholeOriginal = request.targetSize == .original && request.frame == 0 && request.transforms.isEmpty
        request.cache.queryOriginal = levels
        request.cache.storeOriginal = levels
        request.cache.query = isWholeOriginal ? levels : []
        request.cache.store = request.cache.query
        return request
    }

    /// Calls `body` within `--deadline` and shows the progress that it reports.
    func withProgress<Value: Sendable>(
        of input: ImageInput,
        _ body:
            @escaping @Sendable (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await console.withProgress(of: input) { report throws(ImageError) in
            try await withinDeadline { () async throws(ImageError) in try await body(report) }
        }
    }

    func withinDeadline<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await withDeadline(options.deadline.map { .seconds($0) }, body)
    }

    /// Reports a failed input on standard error and, with `--json`, on standard output.
    func fail(_ input: String, _ error: ImageError) {
        hasFailed = true
        let name = input.isEmpty ? "(empty)" : input.truncated(to: 200)
        console.writeMessage("easel: \(name): \(error.message(for: input))")
        if options.json { console.writeResult(JSONValue.failure(input: input, error).text) }
        if let input = try? ImageInput(input) { showTrace(of: input, error.code.rawValue, isResult: false) }
    }

    /// Prints the trace of an input, if there is one. With JSON, and for failures, it goes to standard error.
    func showTrace(of input: ImageInput, _ summary: String, isResult: Bool = true) {
        guard let trace else { return }
        for line in trace.trace(of: input.url).lines(title: "\(input.name): \(summary)") {
            if isResult, !options.json { console.writeResult(line) } else { console.writeMessage(line) }
        }
    }

    /// Prints the chart of load times. With JSON, it goes to standard error.
    private func showTiming() {
        guard let timing else { return }
        let stream = options.json ? StandardStream.error : .output
        let columns = stream.isTerminal ? TerminalSize.current(of: stream.descriptor).columns : nil
        let colors = stream.canMoveCursor && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
        for line in timing.lines(columns: columns, colors: colors) {
            console.writeDrawing(line + "\n", to: stream)
        }
    }

    func flushWarnings() {
        for warning in warnings.take() { console.writeMessage("easel: warning: \(warning)") }
    }

    /// Ends the run.
    ///
    /// - Throws: The exit status if an input failed.
    func finish() throws {
        flushWarnings()
        showTiming()
        if options.stats { console.writeMessage(statistics.line(peakMemory: RunStatistics.peakMemory)) }
        try console.checkOutput()
        if hasFailed { throw ExitStatus.failed }
    }
}

struct Delivery<Value: Sendable>: Sendable {
    /// The input as the user wrote it.
    var input: String
    /// The position of the input, from 1.
    var index: Int
    var value: Value
    /// Whether an earlier, equal input did the work.
    var isRepeated: Bool

    /// Returns the timeline of the load for this input. A repeated input sent no requests.
    func timeline(_ timeline: LoadTimeline) -> LoadTimeline {
        guard isRepeated else { return timeline }
        var shared = timeline
        shared.requests = 0
        shared.isCoalesced = true
        return shared
    }
}

extension Session {
    /// The number of inputs in progress. The downloader limits connections per host; this limits the results in memory.
    private static let concurrencyLimit = 32

    /// Does `work` for each input, several at a time and once for equal inputs. Calls `deliver` in the order of the
    /// inputs. A failure is reported and does not stop the others.
    ///
    /// - Parameter failed: Called instead of `deliver` for an input that failed, before the failure is reported.
    /// - Throws: `CancellationError`, or the exit status if an input failed.
    func run<Value: Sendable>(
        _ inputs: [String], work: @escaping @Sendable (ImageInput) async throws(ImageError) -> Value,
        deliver: (Delivery<Value>) async throws(ImageError) -> Void,
        failed: (_ input: String, _ index: Int, ImageError) -> Void = { _, _, _ in }
    ) async throws {
        await withTaskGroup(of: (String, Result<Value, ImageError>).self) { group in
            var results: [String: Result<Value, ImageError>] = [:]
            var lastIndices: [String: Int] = [:]
            for (index, input) in inputs.enumerated() { lastIndices[input] = index }
            var started: Set<String> = []
            var delivered: Set<String> = []
            var nextToStart = 0
            for (index, input) in inputs.enumerated() {
                while nextToStart < min(inputs.count, index + Self.concurrencyLimit) {
                    let input = inputs[nextToStart]
                    nextToStart += 1
                    guard started.insert(input).inserted else { continue }
                    group.addTask {
                        let result = await Result.catching { () async throws(ImageError) in
                            try await work(try ImageInput(input))
                        }
                        return (input, result)
                    }
                }
                while results[input] == nil, let (input, result) = await group.next() { results[input] = result }
                // A later, equal input still needs the result.
                let result = lastIndices[input] == index ? results.removeValue(forKey: input) : results[input]
                guard let result, !Task.isCancelled else { break }
                flushWarnings()
                do throws(ImageError) {
                    if case .failure(let error) = result { failed(input, index + 1, error) }
                    let isRepeated = !delivered.insert(input).inserted
                    try await deliver(
                        Delivery(input: input, index: index + 1, value: try result.get(), isRepeated: isRepeated))
                } catch {
                    fail(input, error)
                }
            }
            group.cancelAll()
        }
        console.clearProgress()
        try Task.checkCancellation()
        await manager.finishRefreshes()
        try finish()
    }

    func count<Value>(_ delivery: Delivery<Value>, source: ImageSource, timeline: LoadTimeline) {
        statistics.add(source: source, timeline: delivery.timeline(timeline))
    }
}
