#if Server
import NIOSSL
import Synchronization

/// A client of Redis or Valkey over RESP2: a single server, a cluster, or the master that sentinels name.
///
/// Connections are opened on demand. A server that fails is left out until it answers a PING.
public final class RedisConnector: RedisClient {
    private struct State {
        var topology: RedisTopology
        var servers: [RedisAddress: RedisServer] = [:]
        var discovery: Task<TierError?, Never>?
        var isShutDown = false
    }

    /// A command that has no reply yet.
    private struct Pending {
        let index: Int
        var server: RedisAddress
        /// Whether the server accepts it only after ASKING.
        var asks = false
    }

    private static let maximumRedirections = 5

    private let configuration: RedisConfiguration
    private let security: NIOSSLContext?
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    /// Creates a client. Reads the files of the certificates, and opens no connection.
    ///
    /// - Throws: `TierError.invalidConfiguration`.
    public init(_ configuration: RedisConfiguration) throws(TierError) {
        guard !configuration.servers.isEmpty else {
            throw TierError(.invalidConfiguration, "No Redis server is configured.")
        }
        self.configuration = configuration
        security = try configuration.securityContext()
        state = Mutex(State(topology: RedisTopology(configuration)))
    }

    deinit { close() }

    private var now: Duration { start.duration(to: .now) }

    /// Executes commands on the servers of their keys. Follows redirections.
    public func execute(_ commands: [RedisCommand]) async throws(TierError) -> [RedisReply] {
        if let discovery = startDiscoveryIfNeeded(), let error = await discovery.value { throw error }
        var replies = [RedisReply](repeating: .null, count: commands.count)
        var pending: [Pending] = []
        for index in commands.indices {
            pending.append(Pending(index: index, server: try server(for: commands[index].key)))
        }
        for _ in 0...Self.maximumRedirections {
            var redirected: [Pending] = []
            for (entry, reply) in try await send(pending, commands) {
                guard let redirection = Redirection(reply, from: entry.server) else {
                    replies[entry.index] = reply
                    continue
                }
                record(redirection)
                redirected.append(
                    Pending(index: entry.index, server: redirection.server, asks: redirection.isTemporary))
            }
            if redirected.isEmpty { return replies }
            pending = redirected
        }
        throw TierError(.refused, "The servers of the cluster redirect a key in a circle.")
    }

    /// Sends a PING to all known servers. Returns after the first answer, or after all have failed.
    public func ping() async throws(TierError) {
        if let discovery = startDiscoveryIfNeeded(), let error = await discovery.value { throw error }
        let servers = state.withLock(\.topology.servers).map { server(at: $0) }
        let first = FirstResult<Void>(attempts: servers.count)
        for server in servers {
            Task {
                do throws(TierError) { first.settle(.success(try await server.ping())) } catch { first.fail(error) }
            }
        }
        try await first.value()
    }

    /// Closes all connections.
    public func shutDown() async { close() }

    private func close() {
        let (servers, discovery) = state.withLock { state in
            state.isShutDown = true
            defer { state.servers = [:] }
            return (Array(state.servers.values), state.discovery)
        }
        discovery?.cancel()
        for server in servers { server.shutDown() }
    }
}

// MARK: - Servers

extension RedisConnector {
    /// Sends commands to their servers, to different ones at the same time.
    private func send(
        _ pending: [Pending], _ commands: [RedisCommand]
    ) async throws(TierError) -> [(Pending, RedisReply)] {
        let groups = Dictionary(grouping: pending, by: \.server)
        if groups.count == 1, let (address, entries) = groups.first {
            return try await send(entries, commands, to: address).get()
        }
        let results = await withTaskGroup(of: Result<[(Pending, RedisReply)], TierError>.self) { tasks in
            for (address, entries) in groups {
                tasks.addTask { [self] in await send(entries, commands, to: address) }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        var replies: [(Pending, RedisReply)] = []
        for result in results { replies += try result.get() }
        return replies
    }

    private func send(
        _ entries: [Pending], _ commands: [RedisCommand], to address: RedisAddress
    ) async -> Result<[(Pending, RedisReply)], TierError> {
        let asking = RedisCommand("ASKING")
        let batch = entries.flatMap { $0.asks ? [asking, commands[$0.index]] : [commands[$0.index]] }
        do throws(TierError) {
            var replies = try await server(at: address).execute(batch)[...]
            var result: [(Pending, RedisReply)] = []
            for entry in entries {
                if entry.asks { _ = replies.popFirst() }
                guard let reply = replies.popFirst() else { throw RedisReply.unexpected }
                // A master that has become a replica refuses to write.
                if case .error(let message) = reply, message.hasPrefix("READONLY") { recordFailure() }
                result.append((entry, reply))
            }
            return .success(result)
        } catch {
            if error.isServerFailure || error.code == .unavailable { recordFailure() }
            return .failure(error)
        }
    }

    private func server(for key: String?) throws(TierError) -> RedisAddress {
        let (address, isShutDown) = state.withLock { ($0.topology.server(for: key), $0.isShutDown) }
        guard !isShutDown else { throw .shutDown }
        guard let address else { throw TierError(.unreachable, "No server of the cluster is known.") }
        return address
    }

    private func server(at address: RedisAddress) -> RedisServer {
        state.withLock { state in
            if let server = state.servers[address] { return server }
            let server = RedisServer(address, configuration, security: security)
            if state.isShutDown { server.shutDown() } else { state.servers[address] = server }
            return server
        }
    }
}

// MARK: - Discovery

extension RedisConnector {
    private func record(_ redirection: Redirection) {
        state.withLock { [now] state in
            if state.topology.record(redirection, at: now) { startDiscovery(&state) }
        }
    }

    private func recordFailure() {
        state.withLock { [now] state in
            if state.topology.recordFailure(at: now) { startDiscovery(&state) }
        }
    }

    /// Returns the running discovery if the layout is unknown. Starts one if there is none.
    private func startDiscoveryIfNeeded() -> Task<TierError?, Never>? {
        state.withLock { state in
            guard state.topology.layout == nil, !state.isShutDown else { return nil }
            startDiscovery(&state)
            return state.discovery
        }
    }

    private func startDiscovery(_ state: inout State) {
        guard state.discovery == nil, !state.isShutDown else { return }
        let sentinels = configuration.sentinelMaster != nil
        let known = sentinels ? [] : state.topology.servers
        let sources = known + configuration.servers.filter { !known.contains($0) }
        let discovery = RedisDiscovery(method: state.topology.method, sources: sources)
        state.discovery = Task { [weak self, configuration, security] in
            let outcome: Result<RedisTopology.Layout, TierError>
            do throws(TierError) {
                outcome = .success(
                    try await discovery.run { (address, command) async throws(TierError) in
                        try await Self.query(
                            address, command, sentinels ? configuration.forSentinels : configuration, security)
                    })
            } catch {
                outcome = .failure(error)
            }
            guard let self else { return .shutDown }
            return didDiscover(outcome)
        }
    }

    /// Records a layout, and closes the connections to servers that are not in it.
    private func didDiscover(_ outcome: Result<RedisTopology.Layout, TierError>) -> TierError? {
        let (unused, error) = state.withLock { state -> ([RedisServer], TierError?) in
            state.discovery = nil
            switch outcome {
            case .success(let layout):
                state.topology.didDiscover(layout)
                let used = Set(state.topology.servers)
                let unused = state.servers.filter { !used.contains($0.key) }
                for address in unused.keys { state.servers[address] = nil }
                return (Array(unused.values), nil)
            case .failure(let error): return ([], error)
            }
        }
        for server in unused { server.shutDown() }
        return error
    }

    /// Sends one command on a separate connection, since the server may be a sentinel, or one that is not in use.
    private static func query(
        _ address: RedisAddress, _ command: RedisCommand, _ configuration: RedisConfiguration,
        _ security: NIOSSLContext?
    ) async throws(TierError) -> RedisReply {
        let pool = RedisPool(address, configuration, security: security)
        defer { pool.shutDown() }
        guard let reply = try await pool.execute([command]).first else { throw RedisReply.unexpected }
        return reply
    }
}

extension RedisConfiguration {
    /// The configuration of the connections to sentinels.
    fileprivate var forSentinels: RedisConfiguration {
        var copy = self
        copy.user = nil
        copy.password = sentinelPassword
        copy.database = 0
        copy.connectionsPerServer = 1
        return copy
    }
}
#endif
