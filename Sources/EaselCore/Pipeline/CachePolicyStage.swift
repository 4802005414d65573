import EaselFoundation
import Synchronization

/// The result of applying the cache policy: the request and the data that a load continues with.
struct CacheResolution {
    var request: ImageRequest
    /// The original file, if it has been read or sent.
    var file: SharedFile?
    /// Whether the cached entry is current.
    var usesCache = false
    var timeline = LoadTimeline()
}

/// The cache policy of a request, by RFC 9111: use the cached image, revalidate it, or load it again.
extension LoadPipeline {
    private struct CachedEntry {
        /// The response that brought it.
        var response: StoredResponse?
        var isPresent = false
        /// The original file, if it has been read.
        var file: SharedFile?
    }

    /// Decides whether cached data may be used, and revalidates it if required.
    ///
    /// - Parameter needsFile: Whether only the original file is an answer.
    func applyCachePolicy(
        to request: ImageRequest, needsFile: Bool = false, _ context: LoadContext
    ) async throws(ImageError) -> CacheResolution {
        let isRefresh = request.options.contains(.refreshCached)
        var request = request.removing(.refreshCached)
        if request.http.policy == .offline, request.isHTTP { request = request.adding(.fromCacheOnly) }
        guard isRefresh || request.http.policy == .standard,
            request.options.isDisjoint(with: [.fromCacheOnly, .fromLoaderOnly])
        else { return CacheResolution(request: request) }
        guard request.isHTTP else {
            return CacheResolution(request: isRefresh ? request.adding(.fromLoaderOnly) : request)
        }
        let cached = await lookUpEntry(for: request, needsFile: needsFile)
        let decision = CacheDecision.decide(
            request.http.policy, stored: cached.response, request: headers(for: request, cached.response),
            isRefresh: isRefresh, now: configuration.clock.date())
        switch decision {
        case .use:
            // The cache may have lost the file of a response that is known.
            if CacheDirectives(request.http.headers).onlyIfCached { request = request.adding(.fromCacheOnly) }
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        case .useWhileRevalidating where cached.isPresent:
            revalidateInBackground(request, cached.response)
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        case .revalidate where cached.isPresent:
            return try await revalidate(cached, request, context)
        case .useWhileRevalidating, .revalidate, .fetch:
            // Nothing is cached, or it must not be used. In the first case, a load in flight may be joined.
            let isUnknown = !cached.isPresent && !known.contains(request.originalKey) && !isRefresh
            return CacheResolution(request: isUnknown ? request : request.adding(.fromLoaderOnly))
        case .fail:
            throw .notCached
        }
    }

    /// Delivers the cached image, and then the server's: the same image without another decode if it has not changed.
    func refresh(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedImage {
        let cacheOnly = request.removing(.refreshCached).adding(.fromCacheOnly)
        var cached: LoadedImage?
        do throws(ImageError) {
            cached = try await loadExclusively(cacheOnly, context)
        } catch {
            if error.code == .cancelled { throw error }
        }
        guard let cached else { return try await loadShared(request, context) }
        context.report(.cached(ImageResponse(cached, request)))
        do throws(ImageError) {
            // The cached image is better than any preview.
            return try await context.relay(allowsPreviews: false, { context.report($0) }) {
                context throws(ImageError) in
                try await loadShared(request, shown: cached, context)
            }
        } catch let error where error.code == .notCached {
            // Requests are not allowed.
            return cached
        }
    }

    // MARK: - Revalidation

    /// Revalidates a cached entry. If that fails and the protocol allows it, the entry is used as it is.
    private func revalidate(
        _ cached: CachedEntry, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> CacheResolution {
        do throws(ImageError) {
            let response = try await validate(cached.response, request, context)
            if !response.value.isNotModified {
                return CacheResolution(request: request.adding(.fromLoaderOnly), file: response)
            }
            return CacheResolution(
                request: request, file: cached.file, usesCache: true, timeline: response.value.timeline)
        } catch let error where error.code == .notCached {
            // Requests are not allowed.
            return CacheResolution(request: request.adding(.fromCacheOnly), file: cached.file, usesCache: true)
        } catch {
            guard let stored = cached.response,
                CacheDecision.mayReplaceError(
                    error, with: stored, request: headers(for: request, stored), now: configuration.clock.date())
            else { throw error }
            observation.warn(.outdated(error))
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        }
    }

    /// Sends a conditional request, once for all loads that need it. Returns the new file, or data that is not
    /// modified.
    private func validate(
        _ stored: StoredResponse?, _ request: ImageRequest, timeout: Duration? = nil, _ context: LoadContext
    ) async throws(ImageError) -> SharedFile {
        let response = try await coalesce(files, .validation(request), request, context) {
            [self] context throws(ImageError) in
            var conditional = request.validating(stored)
            if let timeout {
                conditional.http.timeouts.total = min(conditional.http.timeouts.total ?? timeout, timeout)
            }
            let response = try await download(conditional, context)
            if response.isNotModified, let response = response.response {
                confirm(response, insteadOf: stored, request)
            }
            return response
        }
        guard !response.value.isNotModified else { return response }
        // Loads that do not validate can join the new file.
        let published = response.role == .leader ? nil : files.finishedValue(for: .file(request))
        var file = published ?? files.publish(response.value, for: .file(request))
        file.value = applyStoragePolicy(of: request, to: response.value)
        return file
    }

    /// Revalidates after the load (`stale-while-revalidate`, RFC 5861 3).
    private func revalidateInBackground(_ request: ImageRequest, _ stored: StoredResponse?) {
        refreshes.begin(.validation(request)) { [self] in
            let context = LoadContext(priority: .low, observation: observation) { _ in }
            var request = request.adding([.fromLoaderOnly, .waitStoreCache])
            request.retry = .none
            guard var file = try? await validate(stored, request, timeout: .seconds(60), context),
                !file.value.isNotModified, await processor.isSound(file.value, request)
            else { return }
            file.value = acceptVersion(of: file.value, request)
            await storeOriginal(file, request)
        }
    }

    /// Records the fields of a 304 response (RFC 9111 4.3.4), at once in memory and later on disk.
    private func confirm(_ response: StoredResponse, insteadOf stored: StoredResponse?, _ request: ImageRequest) {
        known.confirm(response, for: request.originalKey)
        confirmations.begin { [self] in
            // A later response may have arrived.
            guard let last = known.response(of: request.originalKey), last.isSameVersion(as: stored) else { return }
            await write(last, insteadOf: stored, request)
        }
    }

    /// Writes a response to the metadata of each cached file of the validated version.
    private func write(_ response: StoredResponse, insteadOf stored: StoredResponse?, _ request: ImageRequest) async {
        var entries = [(request.originalKey, fileCache(of: request))]
        if !request.isOriginal { entries.append((request.diskKey, imageCache(of: request))) }
        for (key, cache) in entries {
            guard var metadata = try? await cache.metadata(for: key),
                let present = StoredResponse(metadata: metadata.fields), present.isSameVersion(as: stored)
            else { continue }
            metadata.fields = response.replace(in: metadata.fields)
            do throws(ImageError) {
                try await cache.setMetadata(metadata, for: key)
            } catch {
                observation.warn(.notStored(error))
            }
        }
    }

    // MARK: - Cached entries

    private func lookUpEntry(for request: ImageRequest, needsFile: Bool) async -> CachedEntry {
        let key = request.originalKey
        if var file = files.finishedValue(for: .file(request))?.countedOnce {
            file.value = applyStoragePolicy(of: request, to: file.value)
            return CachedEntry(response: file.value.response, isPresent: true, file: file)
        }
        if !needsFile, request.cache.query.contains(.memory), let response = known.response(of: key),
            let image = imageCache(of: request).image(for: request.key), known.isCurrent(image, request)
        {
            return CachedEntry(response: response, isPresent: true)
        }
        if needsFile || request.isOriginal {
            guard let file = await readOriginal(request) else { return CachedEntry(response: known.response(of: key)) }
            return CachedEntry(
                response: file.response, isPresent: true, file: files.publish(file, for: .file(request)))
        }
        let candidates = [
            (key, fileCache(of: request), request.cache.queryOriginal),
            (request.diskKey, imageCache(of: request), request.cache.query),
        ]
        for (key, cache, levels) in candidates where levels.contains(.disk) {
            guard let metadata = try? await cache.metadata(for: key) else { continue }
            let provenance = Provenance(metadata, stamp: 0)
            if known.recordCached(provenance, for: request.originalKey) {
                return CachedEntry(response: provenance.response, isPresent: true)
            }
        }
        return CachedEntry(response: known.response(of: key))
    }

    /// Returns whether an image in memory may be used without a request.
    func isFresh(_ request: ImageRequest) -> Bool {
        guard request.http.policy == .standard, request.isHTTP, !request.options.contains(.fromCacheOnly) else {
            return true
        }
        let stored = known.response(of: request.originalKey)
        let decision = CacheDecision.decide(
            .standard, stored: stored, request: headers(for: request, stored), now: configuration.clock.date())
        return decision == .use
    }

    /// Returns whether images made from a file may be used. By the protocol, only if it is known whether the file is
    /// current.
    func mayUseVariants(_ request: ImageRequest) -> Bool {
        request.http.policy != .standard || !request.isHTTP || request.options.contains(.fromCacheOnly)
            || known.contains(request.originalKey)
    }

    /// Records in a file from the network whether this request's policy allows it to be stored (RFC 9111 3). It may
    /// have been loaded for another request.
    func applyStoragePolicy(of request: ImageRequest, to file: LoadedData) -> LoadedData {
        guard file.source == .network else { return file }
        var marked = file
        marked.provenance.mayBeKept = mayBeStored(file.response, request)
        return marked
    }

    func mayBeStored(_ response: StoredResponse?, _ request: ImageRequest) -> Bool {
        guard request.http.policy == .standard, request.isHTTP, let response else { return true }
        return response.mayBeStored(for: request.http.headers)
    }

    /// Returns the header fields for the decision. The loader's own fields matter only for `Vary`, and take time to
    /// compute.
    private func headers(for request: ImageRequest, _ stored: StoredResponse?) -> HTTPHeaders {
        stored?.vary.isEmpty == false ? loader(of: request).headers(for: request) : request.http.headers
    }
}

/// Work that no load waits for: one piece at a time for each key.
final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [WorkKey: Task<Void, Never>] = [:]
        var isShutDown = false
    }

    private let state = Mutex(State())

    /// The number of keys with work in progress.
    var count: Int { state.withLock { $0.tasks.count } }

    /// Starts `work`, unless there is work in progress for the key.
    func begin(_ key: WorkKey, _ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isShutDown, state.tasks[key] == nil else { return }
            // Under the lock, so that its end finds it.
            state.tasks[key] = Task {
                await work()
                self.state.withLock { $0.tasks[key] = nil }
            }
        }
    }

    /// Waits until all work in progress has ended.
    func finish() async {
        while let task = state.withLock({ $0.tasks.values.first }) { await task.value }
    }

    /// Cancels all work, and prevents later work.
    func shutDown() {
        let tasks = state.withLock { state in
            state.isShutDown = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
    }
}
