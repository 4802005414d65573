public import EaselFoundation

/// Several caches as one, the first of them the highest. A policy for each kind of call says which caches it reaches.
///
/// Every call ends, also on an empty chain, and cancelling the calling task cancels the calls of all caches. If a cache fails, the others
/// are still called: the error is thrown when all are done, by a query only if no other cache has an answer.
public struct ImageCacheChain: ImageCaching {
    /// The caches that a call reaches.
    public enum Policy: Sendable, Hashable, CaseIterable {
        /// One after the other, the highest first. A query ends with the first that has an answer.
        case serial
        /// All at the same time. A query ends with the first answer, and the others are cancelled. `contains` waits for all and joins
        /// their answers; metadata is queried as with `serial`.
        case concurrent
        /// The first alone.
        case highestOnly
        /// The last alone.
        case lowestOnly
    }

    /// The policies of one chain.
    public struct Policies: Sendable, Hashable {
        /// The caches that are queried for an image or a file.
        public var query = Policy.serial
        /// The caches that a store reaches.
        public var store = Policy.highestOnly
        /// The caches that remove one entry.
        public var remove = Policy.concurrent
        /// The caches that `contains` reaches.
        public var contains = Policy.serial
        /// The caches that remove everything.
        public var clear = Policy.concurrent

        /// The policies named above.
        public init() {}
    }

    /// The caches, the highest first.
    public let caches: [any ImageCaching]
    /// The policy of each kind of call.
    public let policies: Policies

    /// A chain of these caches, the highest first.
    public init(_ caches: [any ImageCaching], _ configure: (inout Policies) -> Void = { _ in }) {
        var policies = Policies()
        configure(&policies)
        self.caches = caches
        self.policies = policies
    }

    /// The caches that a policy reaches, the highest first.
    private func caches(for policy: Policy) -> [any ImageCaching] {
        switch policy {
        case .serial, .concurrent: caches
        case .highestOnly: Array(caches.prefix(1))
        case .lowestOnly: Array(caches.suffix(1))
        }
    }

    /// The highest folder for partial downloads that the chain's stores reach.
    public var partialFolder: String? { caches(for: policies.store).lazy.compactMap(\.partialFolder).first }

    // MARK: - Queries

    /// The image in memory of the highest that has it, always one after the other.
    public func image(for key: CacheKey) -> DecodedImage? {
        caches(for: policies.query).lazy.compactMap { $0.image(for: key) }.first
    }

    /// An image of another size in memory that serves as well, of the highest that has one.
    public func image(inFamily family: CacheKey, for size: TargetSize, _ precision: SizePrecision) -> DecodedImage? {
        caches(for: policies.query).lazy.compactMap { $0.image(inFamily: family, for: size, precision) }.first
    }

    /// All sizes in memory of the caches that queries reach, the largest first.
    public func images(inFamily family: CacheKey) -> [DecodedImage] {
        caches(for: policies.query).flatMap { $0.images(inFamily: family) }
            .sorted { $0.size.area ?? 0 > $1.size.area ?? 0 }
    }

    /// Keeps an image in memory.
    public func store(_ image: DecodedImage, for key: CacheKey) {
        for cache in caches(for: policies.store) { cache.store(image, for: key) }
    }

    /// Keeps an image in memory as one of the sizes of a family.
    public func store(_ image: DecodedImage, for key: CacheKey, family: CacheKey) {
        for cache in caches(for: policies.store) { cache.store(image, for: key, family: family) }
    }

    /// The file on disk.
    ///
    /// - Throws: the error of the highest that failed, if no other has it. `ImageError.cancelled`.
    public func file(for key: CacheKey) async throws(ImageError) -> CachedFile? {
        try await first { cache throws(ImageError) in try await cache.file(for: key) }
    }

    /// The metadata of the file of the highest that has one, always one after the other.
    public func metadata(for key: CacheKey) async throws(ImageError) -> CacheMetadata? {
        try await firstInOrder { cache throws(ImageError) in try await cache.metadata(for: key) }
    }

    /// The decoded image on disk.
    public func decodedImage(for key: CacheKey) async -> CachedImage? {
        let found = await Self.result { () throws(ImageError) in
            try await first { cache throws(ImageError) in await cache.decodedImage(for: key) }
        }
        return try? found.get()
    }

    /// The levels of the first that has something (`serial`), or of all together (`concurrent`).
    public func contains(_ key: CacheKey, in levels: CacheLevels) async -> CacheLevels {
        let caches = caches(for: policies.contains)
        if policies.contains == .concurrent {
            let found = await Self.concurrently(caches) { cache throws(ImageError) in
                await cache.contains(key, in: levels)
            }
            return found.reduce(into: .none) { $0.formUnion((try? $1.get()) ?? .none) }
        }
        for cache in caches {
            let found = await cache.contains(key, in: levels)
            if !found.isEmpty { return found }
        }
        return .none
    }

    /// The first value that `body` returns, by the policy for queries.
    private func first<Value: Sendable>(
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        guard policies.query == .concurrent else { return try await firstInOrder(body) }
        return try await firstOfAll(body)
    }

    private func firstInOrder<Value: Sendable>(
        _ body: @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        var failure: ImageError?
        for cache in caches(for: policies.query) {
            if Task.isCancelled { throw .cancelled }
            do throws(ImageError) {
                if let value = try await body(cache) { return value }
            } catch {
                failure = failure ?? error
            }
        }
        if Task.isCancelled { throw .cancelled }
        if let failure { throw failure }
        return nil
    }

    /// Does not wait for slower caches once there is an answer or the task is cancelled, even if they ignore cancellation.
    private func firstOfAll<Value: Sendable>(
        _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value?
    ) async throws(ImageError) -> Value? {
        if Task.isCancelled { throw .cancelled }
        let (results, continuation) = AsyncStream<(Int, Result<Value?, ImageError>)>.makeStream()
        let tasks = caches.enumerated().map { index, cache in
            Task {
                continuation.yield((index, await Self.result { () throws(ImageError) in try await body(cache) }))
            }
        }
        defer { for task in tasks { task.cancel() } }
        var failures: [Int: ImageError] = [:]
        var remaining = caches.count
        var iterator = results.makeAsyncIterator()
        while remaining > 0, let (index, result) = await iterator.next(isolation: nil) {
            remaining -= 1
            switch result {
            case .success(let value): if let value { return value }
            case .failure(let error): failures[index] = error
            }
        }
        if Task.isCancelled { throw .cancelled }
        if let first = failures.min(by: { $0.key < $1.key }) { throw first.value }
        return nil
    }

    // MARK: - Changes

    /// Keeps a file on disk.
    public func store(_ data: Data, metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        try await change(policies.store) { cache throws(ImageError) in
            try await cache.store(data, metadata: metadata, for: key)
        }
    }

    /// Keeps a decoded image on disk.
    ///
    /// - Returns: whether every cache that was to keep it does.
    public func storeDecoded(_ image: CachedImage, for key: CacheKey) async throws(ImageError) -> Bool {
        let results = try await change(policies.store) { cache throws(ImageError) in
            try await cache.storeDecoded(image, for: key)
        }
        return !results.isEmpty && results.allSatisfy(\.self)
    }

    /// Replaces the metadata of a file in the cache in which a query finds it, and leaves the file.
    public func setMetadata(_ metadata: CacheMetadata, for key: CacheKey) async throws(ImageError) {
        for cache in caches(for: policies.query) {
            guard try await cache.metadata(for: key) != nil else { continue }
            return try await cache.setMetadata(metadata, for: key)
        }
    }

    /// Removes everything that is kept for `key`.
    public func remove(_ key: CacheKey, from levels: CacheLevels) async throws(ImageError) {
        try await change(policies.remove) { cache throws(ImageError) in
            try await cache.remove(key, from: levels)
        }
    }

    /// Removes everything.
    public func removeAll(from levels: CacheLevels) async throws(ImageError) {
        try await change(policies.clear) { cache throws(ImageError) in
            try await cache.removeAll(from: levels)
        }
    }

    /// Calls `body` with all caches that the policy reaches.
    ///
    /// - Throws: the error of the highest that failed, when all are done.
    @discardableResult
    private func change<Value: Sendable>(
        _ policy: Policy, _ body: @escaping @Sendable (any ImageCaching) async throws(ImageError) -> Value
    ) async throws(ImageError) -> [Value] {
        var results: [Result<Value, ImageError>] = []
        if policy == .concurrent {
            results = await Self.concurrently(caches, body)
        } else {
            for cache in caches(for: policy) {
                results.append(await Self.result { () throws(ImageError) in try await body(cache) })
            }
        }
        return try results.map { result throws(ImageError) in try result.get() }
    }

    /// Calls `body` with all caches at the same time, and returns the results in order.
    private static func concurrently<Value: Sendable>(
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
