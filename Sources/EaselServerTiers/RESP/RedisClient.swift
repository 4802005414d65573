#if Server
/// A client of Redis or Valkey servers.
///
/// The tiers need no more than this, so that another client, such as valkey-swift, can replace `RedisConnector`.
public protocol RedisClient: Sendable {
    /// Executes commands, and returns one reply for each, in order.
    ///
    /// Commands are pipelined. Those with different keys may run on different servers, in any order. The call ends
    /// within a time limit of the client.
    ///
    /// - Throws: `TierError` if there is no reply for a command. An error that the server reports is a reply.
    func execute(_ commands: [RedisCommand]) async throws(TierError) -> [RedisReply]

    /// Checks by PING that a server answers; in a cluster, that at least one does.
    func ping() async throws(TierError)

    /// Closes all connections.
    func shutDown() async
}

extension RedisClient {
    /// Executes one command.
    ///
    /// - Throws: `TierError` also for an error that the server reports.
    func execute(_ command: RedisCommand) async throws(TierError) -> RedisReply {
        guard let reply = try await execute([command]).first else { throw RedisReply.unexpected }
        return try reply.orError()
    }
}
#endif
