#if Server
import EaselCore

/// Leases in Redis or Valkey: keys with the token of the holder, which expire.
///
/// Renewal and release compare the token on the server, so that a node whose lease has expired cannot end that of
/// another node. A node that dies delays the others by the rest of its lease.
public struct RedisLeases: LeaseProvider {
    private static let renewal =
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end"
    private static let ending =
        "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end"

    private let client: any RedisClient
    private let namespace: String

    /// Creates leases whose keys begin with a namespace.
    public init(client: any RedisClient, namespace: String = "easel") {
        self.client = client
        self.namespace = namespace
    }

    /// Acquires the lease for a key. Returns `nil` if another one is valid.
    public func acquire(_ key: SharedKey, for duration: Duration) async throws(TierError) -> Lease? {
        var generator = SystemRandomNumberGenerator()
        let token = hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let milliseconds = max(1, duration.wholeMilliseconds)
        let reply = try await client.execute(.setIfAbsent(name(of: key), token, milliseconds: milliseconds))
        switch reply {
        case .null: return nil
        case .status("OK"): return Lease(key: key, token: token, duration: duration)
        default: throw RedisReply.unexpected
        }
    }

    /// Extends a lease by its duration. Returns `false` if it was lost.
    public func renew(_ lease: Lease) async throws(TierError) -> Bool {
        let milliseconds = String(max(1, lease.duration.wholeMilliseconds))
        let command = RedisCommand.evaluate(Self.renewal, key: name(of: lease.key), lease.token, milliseconds)
        return try await client.execute(command).integer() == 1
    }

    /// Ends a lease. Has no effect on a lease that another node holds.
    public func release(_ lease: Lease) async throws(TierError) {
        _ = try await client.execute(.evaluate(Self.ending, key: name(of: lease.key), lease.token))
    }

    private func name(of key: SharedKey) -> String { "\(namespace):1:lease:\(key.digest)" }
}
#endif
