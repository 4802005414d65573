public import EaselFoundation

/// Several caches as one, the first of them the highest: a policy for each thing that is asked of it says whom it reaches
/// (X111 to X113).
///
/// Every call ends, also on an empty chain, and cancelling the task that waits reaches every cache that was asked (R028; what
/// X114 tells is not copied). A cache that fails keeps no other from being asked: its error is thrown once all are through, and of a
/// question only where none of them has an answer.
public struct ImageCacheChain: ImageCaching {
    /// Whom a call reaches.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// One after the other, the highest first. A question ends with the first that has an answer.
        case serial
        /// All at the same time. A query ends with the first answer, and the others are cancelled. `contains` waits for all and joins
        /// their answers; metadata is asked for as with `serial`.
        case concurrent
        /// The first alone.
        case highestOnly
        /// The last alone.
        case lowestOnly
    }

    /// The policies of one chain.
    public struct Policies: Sendable, Hashable {
        /// Whom a picture or a file is asked for.
        public var query = Policy.serial
        /// Who keeps what is stored.
        public var store = Policy.highestOnly
        /// Who removes one entry.
        public var remove = Policy.concurrent
        /// Who is asked whether it has something.
        public var contains = Policy.serial
        /// Who removes everything.
        public var clear = Policy.concurrent

        /// The policies named above.
        public init() {}
    }

    /// The caches, the highest first.
    public let caches: [any ImageCaching]
    /// Whom each call reaches.
    public let policies: Policies

    /// A chain of these caches, the highest first.
    public init(_ caches: [any ImageCaching], _ configure: (inout Policies) -> Void = { _ in }) {
        var policies = Policies()
        configure(&policies)
        self.caches = caches
        self.policies = policies
    }

    /// Those that a policy reaches, the highest first.
    func caches(for policy: Policy) -> [any ImageCaching] {
        switch policy {
        case .serial, .concurrent: caches
        case .highestOnly: Array(caches.prefix(1))
        case .lowestOnly: Array(caches.suffix(1))
        }
    }

    /// Where what has come of downloads is kept: the highest place that the chain's stores reach.
    public var partialFolder: String? { caches(for: policies.store).lazy.compactMap(\.partialFolder).first }

    // MARK: - Changes

    /// Keeps a file on disk.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await change(policies.store) { cache throws(ImageError) in
            try await cache.store(data, metadata: metadata, for: key)
            return true
        }
    }

    /// Keeps a decoded picture on disk.
    ///
    /// - Returns: whether every cache that was to keep it does.
    public func storeDecoded(_ picture: CachedPicture, for key: CacheKey) async throws(ImageError) -> Bool {
        try await change(policies.store) { cache throws(ImageError) in
            try await cache.storeDecoded(picture, for: key)
        }
    }

    /// Replaces what is kept beside a file where a query finds it, and leaves the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        for cache in caches(for: policies.query) {
            guard try await cache.metadata(for: key) != nil else { continue }
            return try await cache.setMetadata(metadata, for: key)
        }
    }

    /// Removes what is kept for `key`.
    public func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try await change(policies.remove) { cache throws(ImageError) in
            try await cache.remove(key, from: levels)
            return true
        }
    }

    /// Removes everything.
    public func removeAll(from levels: CacheLevels) async throws(ImageError) {
        try await change(policies.clear) { cache throws(ImageError) in
            try await cache.removeAll(from: levels)
            return true
        }
    }

    /// Does `body` with all that the policy reaches. Returns whether each returned true.
    ///
    /// - Throws: the error of the highest that failed, when all are through.
    @discardableResult
    private func change(
        _ policy: Policy, _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Bool
    ) async throws(ImageError) -> Bool {
        let caches = caches(for: policy)
        var results: [Result<Bool, ImageError>] = []
        if policy == .concurrent {
            results = await Self.concurrently(caches, body)
        } else {
            for cache in caches { results.append(await Self.result { () throws(ImageError) in try await body(cache) }) }
        }
        var isDone = !results.isEmpty
        for result in results where try !result.get() { isDone = false }
        return isDone
    }

    /// All at the same time, and their results in order.
    static func concurrently<Value: Sendable>(
        _ caches: [any ImageCaching],
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value
    ) async -> [Result<Value, ImageError>] {
        await withTaskGroup { group in
            for (index, cache) in caches.enumerated() {
                group.addTask {
                    (index, await result { () throws(ImageError) in try await body(cache) })
                }
            }
            var results: [(Int, Result<Value, ImageError>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    static func result<Value>(
        _ body: () async throws(ImageError) -> Value
    ) async -> Result<Value, ImageError> {
        do throws(ImageError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
