import Easel
import EaselCore
import EaselHTTP
import Foundation

/// One run of a command that loads images: the manager that its options describe, and where its results go.
@MainActor
final class Session {
    /// The streams.
    let console: Console
    /// Loads, with the cache that the options name.
    let manager: ImageManager
    /// Who reads and writes which format.
    let coders: CoderRegistry
    /// What was done so far.
    var statistics = RunStatistics()
    /// The times of loads, where they are to be shown at the end.
    var timing: TimingChart?

    private let options: LoadingOptions
    private let warnings = WarningLog()
    private let trace: TraceLog?
    private var hasFailed = false

    /// A session for these options, which keeps what loads do where `tracing` says so.
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

    /// The request for an input as the options want it, with whatever `configure` adds.
    ///
    /// Only original files are cached on disk: a smaller image made again from one is the same every time, while one
    /// that was stored in a format that loses something is not.
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

    /// Calls `body` within `--deadline`, and shows the progress that it reports.
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

    /// Names a failed input on standard error and, with `--json`, on standard output.
    func fail(_ input: String, _ error: ImageError) {
        hasFailed = true
        console.message("easel: \(input.isEmpty ? "(empty)" : input.truncated(to: 200)): \(error)")
        if options.json { console.result(Record.failure(input: input, error).text) }
        if let input = try? ImageInput(input) { showTrace(of: input, error.code, isResult: false) }
    }

    /// Prints what the load of an input did, where that is kept: beside JSON, and for what failed, on standard error.
    func showTrace(of input: ImageInput, _ summary: String, isResult: Bool = true) {
        guard let trace else { return }
        for line in trace.trace(of: input.url).lines(title: "\(input.name): \(summary)") {
            if isResult, !options.json { console.result(line) } else { console.message(line) }
        }
    }

    /// Prints the chart of times: beside JSON on standard error.
    private func showTiming() {
        guard let timing else { return }
        let stream = options.json ? StandardStream.error : .output
        let columns = stream.isTerminal ? TerminalSize.current(of: stream.descriptor).columns : nil
        let colors = stream.canMoveCursor && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
        for line in timing.lines(columns: columns, colors: colors) {
            console.drawing(line + "\n", to: stream)
        }
    }

    /// Writes the warnings that have come meanwhile.
    func flushWarnings() {
        for warning in warnings.take() { console.message("easel: warning: \(warning)") }
    }

    /// Ends the run.
    ///
    /// - Throws: the exit status of a run in which something failed.
    func finish() throws {
        flushWarnings()
        showTiming()
        if options.stats { console.message(statistics.line(peakMemory: RunStatistics.peakMemory)) }
        try console.checkOutput()
        if hasFailed { throw ExitStatus.failed }
    }
}

/// What became of an input.
struct Delivery<Value: Sendable>: Sendable {
    /// As the user wrote it.
    var input: String
    /// Its place, from 1.
    var index: Int
    /// What the work for it brought.
    var value: Value
    /// Whether an equal input before it has done the work.
    var isRepeated: Bool
}

extension Session {
    /// How many inputs are worked on at a time. The downloader bounds what each host is asked for; this bounds what waits
    /// in memory for its turn.
    private static let window = 32

    /// Does `work` for each input, several at a time and for equal inputs once, and calls `deliver` in the order of the
    /// inputs. What fails is reported, and does not stop the others.
    ///
    /// - Parameter failed: called in place of `deliver` for an input that failed, before that is reported.
    /// - Throws: `CancellationError`; the exit status of a run in which something failed.
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
    /// The times of a load, as this input has had them: an equal one before it has sent the requests.
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
