#if Server
import NIOSSL

/// One server with its connections and its own circuit breaker, so that a dead server of a cluster costs the calls for
/// its keys no time, and the other keys nothing.
final class RedisServer: Sendable {
    private let pool: RedisPool
    private let health: ServerHealth

    init(_ address: RedisAddress, _ configuration: RedisConfiguration, security: NIOSSLContext?) {
        let pool = RedisPool(address, configuration, security: security)
        self.pool = pool
        health = ServerHealth { () async throws(TierError) in try await Self.ping(pool) }
    }

    /// Executes commands on one connection, in order and without other commands between them.
    ///
    /// - Throws: `TierError.unavailable` if the server has not answered since it failed.
    func execute(_ commands: [RedisCommand]) async throws(TierError) -> [RedisReply] {
        let period = try health.admit()
        do throws(TierError) {
            let replies = try await pool.execute(commands)
            health.record(nil, in: period)
            return replies
        } catch {
            health.record(error, in: period)
            throw error
        }
    }

    /// Sends a PING, also while the breaker is open.
    func ping() async throws(TierError) { try await Self.ping(pool) }

    func shutDown() {
        health.shutDown()
        pool.shutDown()
    }

    private static func ping(_ pool: RedisPool) async throws(TierError) {
        guard let reply = try await pool.execute([.ping]).first else { throw RedisReply.unexpected }
        _ = try reply.orError()
    }
}
#endif
