#if Server
import EaselFoundation

/// A tier in Redis or Valkey, for small values and fast lookups.
///
/// A value is one string with a time to live. A group is a set of the digests of its values, sorted by when they
/// expire, so that all commands have one key and run in a cluster. An eviction by the server can remove a group before
/// its values; they then live until they expire.
public struct RedisTier: SharedTier {
    /// The configuration of a tier.
    public struct Configuration: Sendable, Hashable {
        /// The first part of all keys.
        public var namespace = "easel"
        /// The number of bytes of the largest value that is stored: 1 MB.
        public var maximumByteCount = 1 << 20
        /// The longest lifetime of a value: 30 days.
        public var maximumLifetime = Duration.seconds(30 * 86_400)

        /// Creates the default configuration.
        public init() {}
    }

    /// The number of members of a group that are removed at a time.
    private static let batchSize = 500

    private let client: any RedisClient
    private let configuration: Configuration
    private let now: @Sendable () -> Date

    /// Creates a tier. `shutDown` closes the client.
    public init(client: any RedisClient, _ configuration: Configuration = Configuration()) {
        self.init(client: client, configuration, now: { Date() })
    }

    init(client: any RedisClient, _ configuration: Configuration, now: @escaping @Sendable () -> Date) {
        self.client = client
        self.configuration = configuration
        self.now = now
    }

    /// `redis`.
    public var name: String { "redis" }

    /// Returns the value for a key; `nil` if there is none or it is damaged.
    public func value(for key: SharedKey) async throws(TierError) -> SharedValue? {
        guard case .bytes(let bytes) = try await client.execute(.get(name(of: key))) else { return nil }
        return RedisValue.decode(bytes, now: now())
    }

    /// Stores a value with a time to live. A value that is too large is ignored.
    public func store(_ value: SharedValue, for key: SharedKey, lifetime: Duration) async throws(TierError) {
        let lifetime = min(lifetime, configuration.maximumLifetime)
        let milliseconds = lifetime.wholeMilliseconds
        guard milliseconds > 0, value.bytes.count <= configuration.maximumByteCount else { return }
        let now = now()
        let bytes = try RedisValue.encode(value, keptUntil: now.addingTimeInterval(Double(milliseconds) / 1000))
        // A group outlives all its values. It comes first: a value without its group could not be removed.
        let group = name(ofGroup: key.groupDigest)
        let time = Int(now.timeIntervalSince1970 * 1000)
        try await executeAll([
            .removeMembers(from: group, until: time), .addMember(key.digest, to: group, until: time + milliseconds),
            .expire(group, milliseconds: configuration.maximumLifetime.wholeMilliseconds),
        ])
        try await executeAll([.set(name(of: key), bytes, milliseconds: milliseconds)])
    }

    /// Removes the values of a group. Values that are stored meanwhile may remain.
    @discardableResult
    public func removeAll(inGroup group: String) async throws(TierError) -> Int {
        let groupName = name(ofGroup: SharedKey.digest(of: group))
        var removedCount = 0
        var cursor = "0"
        repeat {
            if Task.isCancelled { throw .cancelled }
            let reply = try await client.execute(.scanMembers(of: groupName, from: cursor, count: Self.batchSize))
            guard case .array(let parts) = reply, parts.count == 2, let next = parts[0].text,
                case .array(let elements) = parts[1]
            else { throw RedisReply.unexpected }
            // Each is followed by its time.
            let members = stride(from: 0, to: elements.count, by: 2).compactMap { elements[$0].text }
            for reply in try await client.execute(members.map { .unlink(name(ofDigest: $0)) }) {
                removedCount += try reply.integer()
            }
            // Only the members whose values are gone. The server removes an empty set.
            if !members.isEmpty { try await executeAll([.removeMembers(members, from: groupName)]) }
            cursor = next
        } while cursor != "0"
        return removedCount
    }

    /// Checks that a server answers.
    public func ping() async throws(TierError) { try await client.ping() }

    /// Closes the client.
    public func shutDown() async { await client.shutDown() }

    private func executeAll(_ commands: [RedisCommand]) async throws(TierError) {
        for reply in try await client.execute(commands) { _ = try reply.orError() }
    }

    private func name(of key: SharedKey) -> String { name(ofDigest: key.digest) }

    private func name(ofDigest digest: String) -> String { "\(configuration.namespace):1:value:\(digest)" }

    private func name(ofGroup digest: String) -> String { "\(configuration.namespace):2:group:\(digest)" }
}

/// The string of a value in Redis: the length of the metadata in four bytes, the metadata, and the bytes.
enum RedisValue {
    private static let lengthCount = 4

    /// - Throws: `TierError.tooLarge` for too much metadata.
    static func encode(_ value: SharedValue, keptUntil: Date) throws(TierError) -> Data {
        let metadata = try StoredMetadata(value, keptUntil: keptUntil).encode()
        var data = Data(capacity: lengthCount + metadata.count + value.bytes.count)
        withUnsafeBytes(of: UInt32(metadata.count).littleEndian) { data.append(contentsOf: $0) }
        data.append(contentsOf: metadata)
        data.append(value.bytes)
        return data
    }

    /// Returns `nil` for a string that is not a value, is damaged, or whose lifetime is over.
    static func decode(_ data: Data, now: Date) -> SharedValue? {
        guard data.count >= lengthCount else { return nil }
        let count = data.withUnsafeBytes { Int(UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self))) }
        let rest = data.dropFirst(lengthCount)
        guard count <= StoredMetadata.maximumCount, rest.count >= count,
            let metadata = StoredMetadata(Array(rest.prefix(count)))
        else { return nil }
        return metadata.value(of: Data(rest.dropFirst(count)), now: now)
    }
}

extension Duration {
    /// The whole milliseconds; 0 for a negative duration, and at most 2^53.
    var wholeMilliseconds: Int {
        let milliseconds = self / .milliseconds(1)
        return milliseconds > 0 ? Int(min(milliseconds, 9e15)) : 0
    }
}
#endif
