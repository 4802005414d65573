/// How long each stage of a load took, and what it cost. A stage that did not happen is `nil`.
public struct LoadTimeline: Sendable, Hashable {
    private struct Stages: Sendable, Hashable {
        var queued: Duration?
        var disk: Duration?
        var connect: Duration?
        var firstByte: Duration?
        var transfer: Duration?
        var decode: Duration?
        var transform: Duration?
        var store: Duration?
        var total: Duration?
        var requests = 0
        var bytesReceived = 0
        var bytesSaved = 0
        var isCoalesced = false
    }

    private var stages: Boxed<Stages>
    /// All that begin share one place.
    private static let nothing = Boxed(Stages())

    /// Nothing has happened yet.
    public init() {
        stages = Self.nothing
    }

    /// Waiting for a free place among the downloads.
    public var queued: Duration? {
        get { stages.value.queued }
        _modify { yield &stages.value.queued }
    }

    /// Reading the disk cache.
    public var disk: Duration? {
        get { stages.value.disk }
        _modify { yield &stages.value.disk }
    }

    /// Reaching the server, its name and TLS included; `nil` over a connection that was kept.
    public var connect: Duration? {
        get { stages.value.connect }
        _modify { yield &stages.value.connect }
    }

    /// From sending the request to the head of the answer, connecting included.
    public var firstByte: Duration? {
        get { stages.value.firstByte }
        _modify { yield &stages.value.firstByte }
    }

    /// From the head to the last byte.
    public var transfer: Duration? {
        get { stages.value.transfer }
        _modify { yield &stages.value.transfer }
    }

    /// Decoding.
    public var decode: Duration? {
        get { stages.value.decode }
        _modify { yield &stages.value.decode }
    }

    /// Transforming.
    public var transform: Duration? {
        get { stages.value.transform }
        _modify { yield &stages.value.transform }
    }

    /// Writing the cache, where the load waited for it.
    public var store: Duration? {
        get { stages.value.store }
        _modify { yield &stages.value.store }
    }

    /// From the call to the end.
    public var total: Duration? {
        get { stages.value.total }
        _modify { yield &stages.value.total }
    }

    /// Requests that were sent for this load and no other; redirects and retries count.
    public var requests: Int {
        get { stages.value.requests }
        _modify { yield &stages.value.requests }
    }

    /// Bytes of the file that came from a server for this load and no other; what an earlier attempt has left does not count.
    public var bytesReceived: Int {
        get { stages.value.bytesReceived }
        _modify { yield &stages.value.bytesReceived }
    }

    /// Bytes that did not have to be loaded, because what had come was enough (`LoadOptions.stopWhenSufficient`); 0 where
    /// the server does not say how many there are.
    public var bytesSaved: Int {
        get { stages.value.bytesSaved }
        _modify { yield &stages.value.bytesSaved }
    }

    /// Whether another load had started the work already.
    public var isCoalesced: Bool {
        get { stages.value.isCoalesced }
        _modify { yield &stages.value.isCoalesced }
    }
}
