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
    /// The statistics of the run so far.
    var statistics = RunStatistics()
    /// The chart of load times, if it is printed at the end.
    var timing: TimingChart?

    private let options: LoadingOptions
    private let warnings = WarningLog()
    private let trace: TraceLog?
    private var hasFailed = false

    /// Creates a session for these options. With `tracing`, it records the events of loads.
    init(_ options: LoadingOptions, tracing: Bool = false) {
        self.options = options
        trace = tracing ? TraceLog() : nil
        console = Console(style: .usual(isTerminal: StandardStream.error.canMoveCursor, json: options.json))
        let coders = CoderRegistry.standard()
        self.coders = coders
        manager = ImageManager { [warnings, trace] in
            $0.cache = ImageCache(folder: options.noCache ? nil : options.cacheLocation.folder())
            $0.loader = ImageLoaderChain([
                ImageDownloader {
                    $0.concurrentTransfersPerHost = options.concurrency
                    $0.concurrentTransfers = max($0.concurrentTransfers, options.concurrency)
                    $0.guard.allowsPublicAddressesOnly = options.guardsAddresses
                    $0.guard.exemptHosts = Set(options.guardAllow)
                },
                FileLoader(), DataURLLoader(),
            ])
            $0.coders = coders
            $0.observer = trace.map { ImageObserverList([warnings, $0]) } ?? warnings
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
        configure(&request)
        let levels: CacheLevels = options.noCache ? .none : .disk
        let isWholeOriginal = request.targetSize == .original && request.frame == 0 && request.transforms.isEmpty
        request.cache.queryOriginal = levels
        request.cache.storeOriginal = levels
        request.cache.query = isWholeOriginal ? levels : .none
        request.cache.store = request.cache.query
        return request
    }

    /// Calls `body` within `--deadline` and shows the progress that it reports.
    func loading<Value: Sendable>(
        _ input: ImageInput,
        _ body:
            @escaping @Sendable (_ report: @escaping @Sendable (LoadProgress) -> Void) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await console.showingProgress(of: input) { report throws(ImageError) in
            try await withinDeadline { () async throws(ImageError) in try await body(report) }
        }
    }

    /// Calls `body` within `--deadline`.
    func withinDeadline<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        try await withDeadline(options.deadline.map { .seconds($0) }, body)
    }

    /// Reports a failed input on standard error and, with `--json`, on standard output.
    func fail(_ input: String, _ error: ImageError) {
        hasFailed = true
        console.message("easel: \(input.isEmpty ? "(empty)" : input.truncated(to: 200)): \(error)")
        if options.json { console.result(Record.failure(input: input, error).text) }
        if let input = try? ImageInput(input) { showTrace(of: input, error.code, isResult: false) }
    }

    /// Prints the trace of an input, if there is one. With JSON, and for failures, it goes to standard error.
    func showTrace(of input: ImageInput, _ summary: String, isResult: Bool = true) {
        guard let trace else { return }
        for line in trace.trace(of: input.url).lines(title: "\(input.name): \(summary)") {
            if isResult, !options.json { console.result(line) } else { console.message(line) }
        }
    }

    /// Prints the chart of load times. With JSON, it goes to standard error.
    private func showTiming() {
        guard let timing else { return }
        let stream = options.json ? StandardStream.error : .output
        let columns = stream.isTerminal ? TerminalSize.current(of: stream.descriptor).columns : nil
        let colors = stream.canMoveCursor && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
        for line in timing.lines(columns: columns, colors: colors) {
            console.drawing(line + "\n", to: stream)
        }
    }

    /// Prints the new warnings.
    func flushWarnings() {
        for warning in warnings.take() { console.message("easel: warning: \(warning)") }
    }

    /// Ends the run.
    ///
    /// - Throws: The exit status if an input failed.
    func finish() throws {
        flushWarnings()
        showTiming()
        if options.stats { console.message(statistics.line(peakMemory: RunStatistics.peakMemory)) }
        try console.checkOutput()
        if hasFailed { throw ExitStatus.failed }
    }
}

/// The result of an input.
struct Delivery<Value: Sendable>: Sendable {
    /// The input as the user wrote it.
    var input: String
    /// The position of the input, from 1.
    var index: Int
    /// The value that its work returned.
    var value: Value
    /// Whether an earlier, equal input did the work.
    var isRepeated: Bool
}

extension Session {
    /// The number of inputs in progress. The downloader limits connections per host; this limits the results in memory.
    private static let window = 32

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
        var order = InputOrder<Result<Value, ImageError>>(inputs, window: Self.window)
        await withTaskGroup(of: (Int, Result<Value, ImageError>).self) { group in
            while let step = order.nextDelivery(), !Task.isCancelled {
                switch step {
                case .deliver(let input, let index, let result, let isRepeated):
                    if case .failure(let error) = result { failed(input, index, error) }
                    await deliverOne(input, index, result, isRepeated, deliver)
                case .wait:
                    while let (number, input) = order.nextStart() {
                        group.addTask { (number, await Self.outcome(of: input, work)) }
                    }
                    guard let (number, result) = await group.next() else { break }
                    order.finish(number, result)
                }
            }
            group.cancelAll()
        }
        console.clearProgress()
        try Task.checkCancellation()
        await manager.finishRefreshes()
        try finish()
    }

    private static func outcome<Value>(
        of input: String, _ work: @Sendable (ImageInput) async throws(ImageError) -> Value
    ) async -> Result<Value, ImageError> {
        do throws(ImageError) {
            return .success(try await work(try ImageInput(input)))
        } catch {
            return .failure(error)
        }
    }

    private func deliverOne<Value>(
        _ input: String, _ index: Int, _ result: Result<Value, ImageError>, _ isRepeated: Bool,
        _ deliver: (Delivery<Value>) async throws(ImageError) -> Void
    ) async {
        flushWarnings()
        do throws(ImageError) {
            let value = try result.get()
            try await deliver(Delivery(input: input, index: index, value: value, isRepeated: isRepeated))
        } catch {
            fail(input, error)
        }
    }
}

extension Delivery {
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
    /// Counts a delivery for `--stats`.
    func count<Value>(_ delivery: Delivery<Value>, source: ImageSource, timeline: LoadTimeline) {
        statistics.add(source: source, timeline: delivery.timeline(timeline))
    }
}
