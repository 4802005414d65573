public import EaselFoundation

/// A loader of the bytes of images from a source such as a server or a file.
public protocol ImageLoading: Sendable {
    /// Returns whether it can load the URL of a request.
    func canLoad(_ request: ImageRequest) -> Bool

    /// Loads the bytes, and reports progress to `context`.
    ///
    /// Throws `ImageError.cancelled` when the task is cancelled, and `.tooLarge` for more bytes than
    /// `request.limits.bytes`.
    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData

    /// Returns the header fields that a load of the request sends, which a server's `Vary` can name (RFC 9111 4.1). The
    /// default are those of the request.
    func headers(for request: ImageRequest) -> HTTPHeaders
}

extension ImageLoading {
    /// Returns the fields of the request.
    public func headers(for request: ImageRequest) -> HTTPHeaders { request.http.headers }
}

/// The result of a loader.
public struct LoadedData: Sendable {
    /// The file.
    public var data: Data
    /// The source of the file.
    public var source: ImageSource
    /// The times of the load.
    public var timeline = LoadTimeline()
    /// Whether the cached file is current, and there are no bytes.
    private(set) var isNotModified = false
    var provenance = Provenance(response: nil)

    /// The stored fields of the response; `nil` if the file is not from an HTTP server.
    var response: StoredResponse? { provenance.response }

    /// Creates a result.
    public init(data: Data, source: ImageSource) {
        self.data = data
        self.source = source
    }

    /// Creates a result with the stored fields of an HTTP response.
    init(data: Data, source: ImageSource, timeline: LoadTimeline, response: StoredResponse?) {
        self.init(data: data, source: source)
        self.timeline = timeline
        provenance = Provenance(response: response)
    }

    /// Creates and reports a result that did not arrive in pieces.
    ///
    /// - Throws: `ImageError.tooLarge`, `.cancelled`.
    init(
        _ data: Data, from source: ImageSource, _ request: ImageRequest, _ context: LoadContext,
        started: ContinuousClock.Instant
    ) throws(ImageError) {
        if Task.isCancelled { throw .cancelled }
        guard data.count <= request.limits.bytes else {
            throw .tooLarge(.bytes(data.count, limit: request.limits.bytes))
        }
        context.report(received: data.count, expected: data.count)
        self.init(data: data, source: source)
        timeline[.transfer] = .now - started
    }

    /// Creates a result without bytes: the cached file is current, and `response` has its new fields.
    static func notModified(_ response: StoredResponse, timeline: LoadTimeline = LoadTimeline()) -> LoadedData {
        var data = LoadedData(data: Data(), source: .network, timeline: timeline, response: response)
        data.isNotModified = true
        return data
    }
}

/// The source of an image.
public enum ImageSource: String, Sendable, Hashable, CaseIterable {
    /// The memory cache.
    case memory
    /// The disk cache.
    case disk
    /// A server.
    case network
    /// A `file:` URL.
    case file
    /// A `data:` URL.
    case data

    /// Whether files from this source are stored in the disk cache.
    var isWorthStoring: Bool { self == .network }
}

/// The durations of the stages of a load, and its costs.
public struct LoadTimeline: Sendable, Hashable {
    private var durations: [LoadStage: Duration] = [:]
    /// Connecting to the server, with name lookup and TLS: a part of the stage `firstByte`. `nil` for a reused
    /// connection.
    public var connect: Duration?
    /// From the call to the end.
    public var total: Duration?
    /// The number of requests sent for this load alone, including redirects and retries.
    public var requests = 0
    /// The number of bytes of the file that a server sent for this load alone, without those of a resumed download.
    public var bytesReceived = 0
    /// The number of bytes that were not needed (`LoadOptions.stopWhenSufficient`); 0 if the server does not announce
    /// the size.
    public var bytesSaved = 0
    /// Whether another load had begun the work.
    public var isCoalesced = false

    package init() {}

    /// The time that a stage took, or `nil` if it did not happen. `store` only counts if the load waited for it.
    public subscript(stage: LoadStage) -> Duration? {
        get { durations[stage] }
        set { durations[stage] = newValue }
    }

    /// Marks work that another load has done: its requests are counted there.
    mutating func join() {
        requests = 0
        bytesReceived = 0
        isCoalesced = true
    }

    /// Adds an earlier timeline.
    mutating func add(_ earlier: LoadTimeline) {
        durations.merge(earlier.durations) { own, _ in own }
        requests += earlier.requests
        bytesReceived += earlier.bytesReceived
        bytesSaved += earlier.bytesSaved
        isCoalesced = isCoalesced || earlier.isCoalesced
    }
}
