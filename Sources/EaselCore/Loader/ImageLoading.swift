public import EaselFoundation

/// Brings the bytes of an image from somewhere: a server, a file, the URL itself.
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
    public var timeline: LoadTimeline
    /// Whether there are no bytes, because what is kept is still current.
    public private(set) var isNotModified = false
    var provenance: Provenance

    /// What the answer says about keeping the file; `nil` where it came from elsewhere than an HTTP server.
    public var response: StoredResponse? { provenance.response }

    /// Bytes from `source`.
    public init(
        data: Data, source: ImageSource, timeline: LoadTimeline = LoadTimeline(), response: StoredResponse? = nil
    ) {
        self.data = data
        self.source = source
        self.timeline = timeline
        provenance = Provenance(response: response)
    }

    /// No bytes: what `ImageRequest.HTTP.stored` told of is still current, and `response` is what is known of it now.
    public static func notModified(_ response: StoredResponse, timeline: LoadTimeline = LoadTimeline()) -> LoadedData {
        var data = LoadedData(data: Data(), source: .network, timeline: timeline, response: response)
        data.isNotModified = true
        return data
    }
}

/// Where an image comes from.
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
    /// Waiting for admission to the downloads.
    public var queued: Duration?
    /// Reading the disk cache.
    public var disk: Duration?
    /// Connecting to the server, with its name and TLS; `nil` for a connection that was reused.
    public var connect: Duration?
    /// From sending the request to the head of the response, including the connection.
    public var firstByte: Duration?
    /// From the head to the last byte.
    public var transfer: Duration?
    /// Decoding.
    public var decode: Duration?
    /// Transforming.
    public var transform: Duration?
    /// Writing the cache, if the load waited for it.
    public var store: Duration?
    /// From the call to the end.
    public var total: Duration?
    /// The number of requests sent for this load alone, including redirects and retries.
    public var requests = 0
    /// The number of bytes of the file that a server sent for this load alone. What an earlier attempt left does not count.
    public var bytesReceived = 0
    /// The number of bytes that were not needed (`LoadOptions.stopWhenSufficient`); 0 if the server does not announce the size.
    public var bytesSaved = 0
    /// Whether another load had begun the work.
    public var isCoalesced = false

    /// Creates an empty timeline.
    public init() {}
}
