#if Server
/// The servers of a configuration and the keys that each of them has.
///
/// A pure value. A single server is used as such until it redirects a key, which shows that it belongs to a cluster.
struct RedisTopology {
    enum Layout: Sendable, Hashable {
        case single(RedisAddress)
        case cluster(SlotMap)
    }

    /// The way in which the layout is found.
    enum Method: Hashable {
        /// The only server that is configured.
        case fixed(RedisAddress)
        /// CLUSTER SLOTS.
        case cluster
        /// The sentinels' answer for the name of a master.
        case sentinel(String)
    }

    /// The shortest time between two discoveries after failures.
    static let discoveryInterval = Duration.seconds(1)

    private(set) var method: Method
    /// `nil` until it was found.
    private(set) var layout: Layout?
    private var lastDiscovery: Duration?

    init(_ configuration: RedisConfiguration) {
        if let name = configuration.sentinelMaster {
            method = .sentinel(name)
        } else if configuration.servers.count == 1, let server = configuration.servers.first {
            method = .fixed(server)
            layout = .single(server)
        } else {
            method = .cluster
        }
    }

    /// The servers of the layout.
    var servers: [RedisAddress] {
        switch layout {
        case nil: []
        case .single(let server): [server]
        case .cluster(let map): map.servers
        }
    }

    /// Returns the server for a key, or any server without one. Returns `nil` if the layout is unknown.
    func server(for key: String?) -> RedisAddress? {
        switch layout {
        case nil: nil
        case .single(let server): server
        case .cluster(let map): key.flatMap { map[SlotMap.slot(of: $0)] } ?? map.servers.first
        }
    }

    /// Records that a server redirected a key. Returns whether the layout has to be found again.
    mutating func record(_ redirection: Redirection, at now: Duration) -> Bool {
        guard !redirection.isTemporary else { return false }
        method = .cluster
        var map = SlotMap()
        if case .cluster(let known) = layout { map = known }
        map[redirection.slot] = redirection.server
        layout = .cluster(map)
        return beginDiscovery(at: now)
    }

    /// Records that a server is gone, or is no longer the master. Returns whether the layout has to be found again.
    mutating func recordFailure(at now: Duration) -> Bool {
        if case .fixed = method { return false }
        return beginDiscovery(at: now)
    }

    mutating func didDiscover(_ layout: Layout) { self.layout = layout }

    private mutating func beginDiscovery(at now: Duration) -> Bool {
        if let lastDiscovery, now - lastDiscovery < Self.discoveryInterval { return false }
        lastDiscovery = now
        return true
    }
}

/// The search for the layout, by commands to servers that are known.
struct RedisDiscovery {
    /// Sends a command to one server.
    typealias Send = @Sendable (RedisAddress, RedisCommand) async throws(TierError) -> RedisReply

    let method: RedisTopology.Method
    /// The servers to query, in order.
    let sources: [RedisAddress]

    /// Returns the layout according to the first server that states one.
    ///
    /// - Throws: the error of the last server.
    func run(_ send: Send) async throws(TierError) -> RedisTopology.Layout {
        if case .fixed(let server) = method { return .single(server) }
        var failure = TierError(.invalidConfiguration, "No server is configured.")
        for source in sources {
            do throws(TierError) {
                if let layout = try await layout(from: source, send) { return layout }
                failure = TierError(.unreachable, "\(source) states no server that is in use.")
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func layout(from source: RedisAddress, _ send: Send) async throws(TierError) -> RedisTopology.Layout? {
        switch method {
        case .fixed(let server): return .single(server)
        case .cluster:
            let reply = try await send(source, RedisCommand("CLUSTER", "SLOTS"))
            // Of several servers without a cluster, the first that answers is used.
            if case .error(let message) = reply, message.hasPrefix("ERR") { return .single(source) }
            return SlotMap(try reply.orError(), from: source).map { .cluster($0) }
        case .sentinel(let name):
            let reply = try await send(source, RedisCommand("SENTINEL", "get-master-addr-by-name", name)).orError()
            guard case .array(let parts) = reply, parts.count == 2, let host = parts[0].text, !host.isEmpty,
                let port = parts[1].text.flatMap({ Int($0) }), (1...65535).contains(port)
            else { return nil }
            return .single(RedisAddress(host: host, port: port))
        }
    }
}
#endif
