public import EaselFoundation

/// Brings the bytes of a picture from somewhere: a server, a file, the URL itself.
public protocol ImageLoading: Sendable {
    /// Whether it takes this request's URL.
    func canLoad(_ request: ImageRequest) -> Bool

    /// Loads the bytes, and tells `context` how far it is.
    ///
    /// Ends when the task is cancelled, with `ImageError.cancelled`. Never gives more bytes than `request.limits.bytes`.
    ///
    /// Where `request.http.stored` is set and still current, it may give `LoadedData.notModified` instead of bytes.
    func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData

    /// The fields that a load of this request sends, which a server's `Vary` may name (RFC 9111 4.1): those of the request
    /// by default.
    func headers(for request: ImageRequest) -> HTTPHeaders
}

extension ImageLoading {
    /// The request's own fields.
    public func headers(for request: ImageRequest) -> HTTPHeaders { request.http.headers }
}

/// Bytes that a loader brought.
public struct LoadedData: Sendable {
    /// The file.
    public var data: Data
    /// Where it comes from.
    public var source: ImageSource
    /// How long it took.
    public var timeline: LoadTimeline {
        get { boxedTimeline.value }
        _modify { yield &boxedTimeline.value }
    }
    /// Whether there are no bytes, because what is kept is still current.
    public private(set) var isNotModified = false
    var provenance: Provenance {
        get { boxedProvenance.value }
        _modify { yield &boxedProvenance.value }
    }
    private var boxedTimeline: Boxed<LoadTimeline>
    private var boxedProvenance: Boxed<Provenance>

    /// What the answer says about keeping the file; `nil` where it came from elsewhere than an HTTP server.
    public var response: StoredResponse? { provenance.response }

    /// Bytes from `source`.
    public init(
        data: Data, source: ImageSource, timeline: LoadTimeline = LoadTimeline(), response: StoredResponse? = nil
    ) {
        self.data = data
        self.source = source
        boxedTimeline = Boxed(timeline)
        boxedProvenance = Boxed(Provenance(response: response))
    }

    /// No bytes: what `ImageRequest.HTTP.stored` told of is still current, and `response` is what is known of it now.
    public static func notModified(_ response: StoredResponse, timeline: LoadTimeline = LoadTimeline()) -> LoadedData {
        var data = LoadedData(data: Data(), source: .network, timeline: timeline, response: response)
        data.isNotModified = true
        return data
    }
}

/// Where a picture comes from.
public enum ImageSource: String, Sendable, Hashable, CaseIterable {
    /// Decoded, from memory.
    case memory
    /// A file in the cache.
    case disk
    /// A server.
    case network
    /// A `file:` URL.
    case file
    /// A `data:` URL.
    case data

    /// Whether its bytes are worth a place in the disk cache: those of a file or of the URL itself are at hand anyway.
    var isWorthStoring: Bool { self == .network }
}

/// How long each stage of a load took, and what it cost. A stage that did not happen is `nil`.
public struct LoadTimeline: Sendable, Hashable {
    /// Waiting for a free place among the downloads.
    public var queued: Duration? {
        get { times.queued.duration }
        set { times.queued.duration = newValue }
    }
    /// Reading the disk cache.
    public var disk: Duration? {
        get { times.disk.duration }
        set { times.disk.duration = newValue }
    }
    /// Reaching the server, its name and TLS included; `nil` over a connection that was kept.
    public var connect: Duration? {
        get { times.connect.duration }
        set { times.connect.duration = newValue }
    }
    /// From sending the request to the head of the answer, connecting included.
    public var firstByte: Duration? {
        get { times.firstByte.duration }
        set { times.firstByte.duration = newValue }
    }
    /// From the head to the last byte.
    public var transfer: Duration? {
        get { times.transfer.duration }
        set { times.transfer.duration = newValue }
    }
    /// Decoding.
    public var decode: Duration? {
        get { times.decode.duration }
        set { times.decode.duration = newValue }
    }
    /// Transforming.
    public var transform: Duration? {
        get { times.transform.duration }
        set { times.transform.duration = newValue }
    }
    /// Writing the cache, where the load waited for it.
    public var store: Duration? {
        get { times.store.duration }
        set { times.store.duration = newValue }
    }
    /// From the call to the end.
    public var total: Duration? {
        get { times.total.duration }
        set { times.total.duration = newValue }
    }
    /// Requests that were sent for this load and no other; redirects and retries count.
    public var requests = 0
    /// Bytes of the file that came from a server for this load and no other; what an earlier attempt has left does not count.
    public var bytesReceived = 0
    /// Bytes that did not have to be loaded, because what had come was enough (`LoadOptions.stopWhenSufficient`); 0 where
    /// the server does not say how many there are.
    public var bytesSaved = 0
    /// Whether another load had started the work already.
    public var isCoalesced = false

    private var times = Times()

    private struct Times: Hashable {
        var queued = BriefDuration()
        var disk = BriefDuration()
        var connect = BriefDuration()
        var firstByte = BriefDuration()
        var transfer = BriefDuration()
        var decode = BriefDuration()
        var transform = BriefDuration()
        var store = BriefDuration()
        var total = BriefDuration()
    }

    /// Nothing has happened yet.
    public init() {}
}
