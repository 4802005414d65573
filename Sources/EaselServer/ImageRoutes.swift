#if Server
import EaselCodecs
import EaselCore
import EaselFoundation
import EaselHTTP
import EaselServerTiers
import EaselServerURLs
import HTTPTypes
public import Hummingbird
import NIOCore

/// Routes that answer image URLs in the form of imgproxy, for a Hummingbird application.
///
/// ```swift
/// let router = Router(context: ImageRequestContext.self)
/// ImageRoutes(.init(signingKeys: keys)).add(to: router, path: "/img")
/// ```
///
/// With `ImageRequestContext`, and with `HTTPServerBuilder.images(_:)` as the server, the work for a client that
/// disconnects is cancelled.
public struct ImageRoutes: Sendable {
    let handler: RequestHandler

    /// Creates routes with their caches.
    public init(_ configuration: Configuration) {
        let metrics = ServerMetrics()
        let rules = ResponseRules(
            allowedOrigin: configuration.allowedOrigin, savesByDefault: configuration.savesByDefault,
            requestsHints: configuration.usesClientHints)
        let service = Self.service(configuration, rules, metrics)
        var identification = ClientIdentification()
        for proxy in configuration.trustedProxies { _ = identification.proxies.insert(proxy) }
        identification.header = configuration.clientHeader.flatMap { HTTPField.Name($0) }
        var operations = Operations()
        operations.isEnabled = configuration.showsOperations
        operations.purgeToken = configuration.purgeToken
        operations.sandbox = configuration.sandboxStatistics
        operations.tiers = configuration.sharedTiers.map { tier in
            { Operations.TierState(tier) }
        }
        handler = RequestHandler(
            service: service, rules: rules, parser: Self.parser(configuration), operations: operations,
            identification: identification, log: configuration.logDescriptor.map { LineLog(descriptor: $0) })
    }

    /// Adds the routes below a path.
    public func add(to router: some RouterMethods, path: String = "") {
        let prefix = path.hasSuffix("/") ? String(path.dropLast()) : path
        for method in [HTTPTypes.HTTPRequest.Method.get, .head, .options, .purge, .post, .put, .delete, .patch] {
            // A recursive wildcard stands for at least one part.
            for pattern in [prefix.isEmpty ? "/" : prefix, prefix + "/**"] {
                router.on(RouterPath(pattern), method: method, responder: responder(prefix, router))
            }
        }
    }

    private func responder<Methods: RouterMethods>(_ prefix: String, _: Methods) -> ImageResponder<Methods.Context> {
        ImageResponder(handler: handler, prefix: prefix)
    }

    /// Replaces the keys, presets, allowed options and sources. Requests in progress are not affected.
    public func update(_ configuration: Configuration) { handler.use(Self.parser(configuration)) }

    /// Reports that the server is not ready any more, and refuses waiting requests.
    public func beginStopping() { handler.beginStopping() }

    /// Connects to the shared caches, so that the first requests need not.
    public func connect() async {
        await withTaskGroup { group in
            for tier in handler.service.store.shared { group.addTask { try? await tier.ping() } }
        }
    }

    /// Waits until results are written.
    public func shutDown() async {
        await handler.service.stop()
        let handler = handler
        await WorkerPool.writes.run { handler.flushLog() }
    }

    /// Cancels all work.
    func cancelAll() { handler.service.cancelAll() }

    private static func parser(_ configuration: Configuration) -> URLParser {
        URLParser(
            rules: configuration.urls, usesHints: configuration.usesClientHints, settings: configuration.resultText)
    }
}

/// Answers the requests of a router.
struct ImageResponder<Context: RequestContext>: HTTPResponder {
    let handler: RequestHandler
    /// The path of the routes, without a slash at its end.
    let prefix: String

    func respond(to request: Request, context: Context) async throws -> Response {
        let connection = ConnectionFacts(channel: (context as? any ConnectionRequestContext)?.channel)
        let path = request.head.path ?? "/"
        return await handler.respond(to: request.head, path: path.dropFirst(prefix.count), connection)
    }
}

// MARK: - Parts

extension ImageRoutes {
    private static func service(
        _ configuration: Configuration, _ rules: ResponseRules, _ metrics: ServerMetrics
    ) -> ImageService {
        let lifetimes = configuration.lifetimes
        var encoding = EncodingSettings()
        encoding.negotiated = configuration.negotiatedFormats.filter {
            configuration.coders.encoder(for: $0) != nil
        }
        encoding.qualities.merge(configuration.qualities) { $1 }
        var limits = ResultLimits()
        limits.pixels = configuration.resultPixels
        let maker = ResultMaker(
            manager: manager(configuration, metrics), coders: configuration.coders, encoding: encoding,
            limits: limits, sourceLimits: configuration.sourceLimits, sourceTimeout: configuration.sourceTimeout,
            lifetimes: lifetimes, watermark: configuration.watermark.map { WatermarkImage($0) },
            gate: AdmissionGate(capacity: configuration.pixelBytes), metrics: metrics)
        let disk = configuration.cacheFolder.map { filesOnly(in: $0 + "/results", configuration.diskBytes) }
        let requests = AdmissionGate(
            capacity: configuration.concurrentRequests, maximumWaiting: configuration.queueLength)
        return ImageService(
            store: ResultStore(
                memoryBytes: configuration.memoryBytes, disk: disk, shared: configuration.sharedTiers),
            maker: maker, requests: requests, rules: rules, deadline: configuration.deadline,
            fallback: configuration.fallback.flatMap { try? SourceLocation($0) },
            cluster: configuration.leases.map { ClusterFlight(leases: $0) })
    }

    /// Returns the manager that loads sources. It keeps their files on disk, or in memory, and no images.
    private static func manager(_ configuration: Configuration, _ metrics: ServerMetrics) -> ImageManager {
        var parts = ImageManager.Configuration()
        parts.cache =
            configuration.cacheFolder.map { filesOnly(in: $0 + "/sources", configuration.diskBytes) }
            ?? SourceMemory(maximumBytes: configuration.memoryBytes / 4)
        var loaders: [any ImageLoading] = [downloader(configuration)]
        if let root = configuration.localRoot, let loader = try? LocalLoader(root: root) { loaders.append(loader) }
        parts.loader = ImageLoaderChain(loaders + configuration.loaders)
        parts.coders = configuration.coders
        parts.delegate = SourceDelegate()
        parts.observers = [SourceObserver(metrics: metrics), StageSpans()]
        return ImageManager(configuration: parts)
    }

    /// Returns a cache without images in memory.
    private static func filesOnly(in folder: String, _ size: ByteCount) -> ImageCache {
        ImageCache(folder: folder) {
            $0.memory.maximumBytes = ByteCount(0)
            $0.memory.pressureMonitor = nil
            $0.disk.maximumBytes = size
            $0.decoded = nil
        }
    }

    private static func downloader(_ configuration: Configuration) -> ImageDownloader {
        ImageDownloader(transport: CurlTransport(connectionsPerHost: nil)) {
            configuration.configure(&$0)
            $0.hostGuard = .publicHostsOnly
            $0.hostGuard.exemptHosts = configuration.privateHosts
            $0.requestModifier = { request in
                var traced = request
                if let trace = TraceContext.current {
                    traced.headers["traceparent"] = trace.traceParent
                    if let state = trace.state { traced.headers["tracestate"] = state }
                }
                RequestSpan.continueTrace(in: &traced.headers)
                return traced
            }
        }
    }
}

extension ImageRoutes.Configuration {
    fileprivate var lifetimes: LifetimeRules {
        LifetimeRules(
            standard: standardLifetime, fixed: fixedLifetime, staleWhileRevalidate: staleWhileRevalidate)
    }

    /// Configures a loader of sources: what it accepts, its transfers, and the lifetimes.
    func configure(_ downloader: inout ImageDownloader.Configuration) {
        downloader.accept(coders)
        downloader.concurrentTransfers = concurrentTransfers
        downloader.concurrentTransfersPerHost = concurrentTransfersPerHost
        downloader.responseModifier = { [lifetimes] in lifetimes.apply(to: $0) }
    }

    /// The settings that decide results, as text for their keys.
    fileprivate var resultText: String {
        let qualities = qualities.map { "\($0.key.name)=\($0.value)" }.sorted().joined(separator: ",")
        let mark = watermark.map { ImageTransform.overlay($0, opacity: 1).identifier } ?? ""
        return "\(negotiatedFormats.map(\.name)) \(qualities) \(resultPixels) \(mark)"
    }
}

extension LifetimeRules {
    /// Returns a response with the lifetime of these rules, so that the source is used for as long as its results.
    fileprivate func apply(to response: EaselCore.HTTPResponse) -> EaselCore.HTTPResponse {
        let field = response.headers.all("Cache-Control")
        guard
            let text = cacheControl(
                replacing: field.isEmpty ? nil : field.joined(separator: ", "),
                hasExpires: response.headers["Expires"] != nil)
        else { return response }
        var headers = response.headers
        headers["Cache-Control"] = text
        return EaselCore.HTTPResponse(
            status: response.status, headers: headers, version: response.version, bodyLength: response.bodyLength,
            connectTime: response.connectTime, body: response.body)
    }
}

/// Remembers for a short time that a source failed, so that a failing host is not asked for every request.
private struct SourceDelegate: ImageManagerDelegate {
    func imageManager(blockingTimeFor request: ImageRequest, after error: ImageError) -> Duration? {
        // A failure that this server caused says nothing about the source.
        if error.underlyingError is ServerError || error.underlyingError is ImageURLError { return nil }
        if let time = error.blockingTime { return min(time, .seconds(30)) }
        switch error.code {
        case .unreachable, .connectionLost, .insecure, .timedOut: return .seconds(3)
        case .status where (error.status ?? 0) >= 500: return .seconds(1)
        default: return nil
        }
    }
}

extension Operations.TierState {
    init(_ tier: any SharedTier) {
        self.init(name: tier.name)
        guard let statistics = (tier as? GuardedTier)?.statistics else { return }
        isOpen = statistics.isOpen
        hits = statistics.hits
        misses = statistics.misses
        failures = statistics.failures + statistics.timeouts
        skipped = statistics.skipped + statistics.rejected
    }
}
#endif
