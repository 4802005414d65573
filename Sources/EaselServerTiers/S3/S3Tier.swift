#if Server
import EaselCore
import EaselFoundation
import EaselHTTP

/// A tier in an object store with the interface of S3, for many values of any size.
///
/// An object has the content type of the image and the other metadata in a field, so that it can also be served by the
/// store itself. A group of keys is a folder. The store does not end lifetimes: an expired value is not returned, and the
/// bucket's lifecycle rules remove it.
public struct S3Tier: SharedTier {
    /// The configuration of a tier.
    public struct Configuration: Sendable, Hashable {
        /// The object store.
        public var endpoint: S3Endpoint
        /// The bucket.
        public var bucket: String
        /// The first part of all keys. A slash follows.
        public var prefix: String
        /// The number of bytes of the largest value: 64 MB.
        public var maximumByteCount = 64 << 20

        /// Creates a configuration.
        public init(endpoint: S3Endpoint, bucket: String, prefix: String = "") {
            self.endpoint = endpoint
            self.bucket = bucket
            self.prefix = prefix
        }

        /// Creates a configuration for `s3://bucket/prefix`.
        ///
        /// - Throws: `TierError.invalidConfiguration`.
        public init(url: String, endpoint: S3Endpoint) throws(TierError) {
            guard let (scheme, rest) = url.split(at: "://"), scheme == "s3" else {
                throw TierError(.invalidConfiguration, "The URL of the results is not s3://bucket/prefix.")
            }
            let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            var prefix = parts.count > 1 ? parts[1] : ""
            while prefix.hasSuffix("/") { prefix = prefix.dropLast() }
            self.init(endpoint: endpoint, bucket: String(parts[0]), prefix: String(prefix))
        }
    }

    /// The number of requests of a removal at a time.
    private static let removalWidth = 8

    private let client: S3Client
    private let configuration: Configuration

    /// Creates a tier with its own connections.
    ///
    /// - Throws: `TierError.invalidConfiguration`.
    public init(_ configuration: Configuration) throws(TierError) {
        try self.init(configuration, transport: CurlTransport(connectionsPerHost: 32))
    }

    /// - Parameters:
    ///   - transport: Sends bodies of requests.
    ///   - now: The date of signatures and lifetimes.
    init(
        _ configuration: Configuration, transport: any HTTPTransport, now: @escaping @Sendable () -> Date = { Date() }
    ) throws(TierError) {
        guard configuration.endpoint.isValid else {
            throw TierError(.invalidConfiguration, "The URL of the object store is not http://host or https://host.")
        }
        _ = try S3Location(bucket: configuration.bucket, key: configuration.prefix)
        self.configuration = configuration
        client = S3Client(
            endpoint: configuration.endpoint, bucket: configuration.bucket, transport: transport, now: now)
    }

    /// `s3`.
    public var name: String { "s3" }

    /// Returns the value for a key; `nil` if there is none, it is damaged, or its lifetime is over.
    public func value(for key: SharedKey) async throws(TierError) -> SharedValue? {
        let response = try await client.send("GET", name(of: key), limit: configuration.maximumByteCount)
        guard response.status == 200, let metadata = StoredMetadata(fields: response.headers) else { return nil }
        return metadata.value(of: response.body, now: client.now())
    }

    /// Stores a value with its metadata. A value that is too large is ignored.
    public func store(_ value: SharedValue, for key: SharedKey, lifetime: Duration) async throws(TierError) {
        guard lifetime > .zero, value.bytes.count <= configuration.maximumByteCount else { return }
        let keptUntil = client.now().addingTimeInterval(lifetime / .seconds(1))
        var headers = try StoredMetadata(value, keptUntil: keptUntil).fields()
        headers["Content-Type"] = value.metadata.contentType
        try await put(name(of: key), headers, value.bytes)
    }

    /// Removes the values of a group. Values that are stored meanwhile may remain.
    @discardableResult
    public func removeAll(inGroup group: String) async throws(TierError) -> Int {
        let folder = folder(ofGroup: SharedKey.digest(of: group))
        var removedCount = 0
        var continuation: String?
        repeat {
            let listing = try await list(folder, from: continuation)
            let digests = listing.keys.compactMap { key in
                key.split(separator: "/").last.map(String.init).flatMap { $0.isDigest ? $0 : nil }
            }
            try await delete(digests.map { folder + $0 })
            removedCount += digests.count
            continuation = listing.continuation
        } while continuation != nil
        return removedCount
    }

    /// Checks that the store answers and accepts the credentials. Requires the permission to list the bucket.
    public func ping() async throws(TierError) { _ = try await list(prefix, from: nil, count: 1) }

    /// Closes the connections.
    public func shutDown() async { await client.transport.shutDown() }

    private var prefix: String { configuration.prefix.isEmpty ? "" : "\(configuration.prefix)/" }

    private func name(of key: SharedKey) -> String { folder(ofGroup: key.groupDigest) + key.digest }

    private func folder(ofGroup digest: String) -> String { "\(prefix)v1/\(digest)/" }

    private func put(_ name: String, _ headers: HTTPHeaders, _ bytes: Data) async throws(TierError) {
        let response = try await client.send("PUT", name, headers: headers, body: Array(bytes))
        try Self.expectSuccess(response)
    }

    private func delete(_ names: [String]) async throws(TierError) {
        for start in stride(from: 0, to: names.count, by: Self.removalWidth) {
            let part = names[start..<min(start + Self.removalWidth, names.count)]
            let failure = await withTaskGroup(of: TierError?.self) { group in
                for name in part {
                    group.addTask { [client] in
                        do throws(TierError) {
                            let response = try await client.send("DELETE", name)
                            if response.status != 404 { try Self.expectSuccess(response) }
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                return await group.reduce(nil as TierError?) { $0 ?? $1 }
            }
            if let failure { throw failure }
        }
    }

    private func list(
        _ folder: String, from continuation: String?, count: Int = 1000
    ) async throws(TierError) -> S3Listing {
        var query = [
            SignatureV4.Parameter(name: "list-type", value: "2"), .init(name: "prefix", value: folder),
            .init(name: "max-keys", value: String(count)),
        ]
        if let continuation { query.append(.init(name: "continuation-token", value: continuation)) }
        // A key has at most 1 KB, and its description in XML less than that.
        let response = try await client.send("GET", "", query: query, limit: 4 << 20)
        try Self.expectSuccess(response)
        return S3Listing(response.body)
    }

    private static func expectSuccess(_ response: S3Client.Response) throws(TierError) {
        guard (200..<300).contains(response.status) else {
            let code = S3Listing.elements("Code", in: response.body).first ?? ""
            throw TierError(.refused, "The object store answered with status \(response.status). \(code.readable)")
        }
    }
}

extension String {
    /// Whether it is the digest of a `SharedKey`.
    fileprivate var isDigest: Bool {
        utf8.count == 64 && utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
#endif
