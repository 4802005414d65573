import EaselFoundation

/// What a load continues with, after its cache policy has been applied.
struct CacheResolution {
    var request: ImageRequest
    /// The original file, if it has been read or sent.
    var file: SharedFile?
    /// Whether what is cached is current.
    var usesCache = false
    var timeline = LoadTimeline()
}

/// The cache policy of a request, by RFC 9111: use what is cached, revalidate it, or load anew.
extension LoadPipeline {
    private struct CachedEntry {
        /// The response that brought it.
        var response: StoredResponse?
        var isPresent = false
        /// The original file, if it has been read.
        var file: SharedFile?
    }

    /// Decides whether what is cached may be used, and asks the server if it has to be.
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
            isRefresh: isRefresh, now: configuration.date())
        switch decision {
        case .use:
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        case .useWhileRevalidating:
            revalidateInBackground(request, cached.response)
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        case .revalidate where cached.isPresent:
            return try await revalidate(cached, request, context)
        case .revalidate, .fetch:
            // Nothing is cached, or it must not be used. In the first case, a load in flight may be joined.
            let isUnknown = !cached.isPresent && !known.contains(request.originalKey) && !isRefresh
            return CacheResolution(request: isUnknown ? request : request.adding(.fromLoaderOnly))
        case .fail:
            throw .notCached
        }
    }

    /// Delivers what is cached, and then what the server answers: the same image without another decode if it has not changed.
    func refresh(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedImage {
        let cacheOnly = request.removing(.refreshCached).adding(.fromCacheOnly)
        var cached: LoadedImage?
        do throws(ImageError) {
            cached = try await loadExclusively(cacheOnly, context)
        } catch .cancelled {
            throw .cancelled
        } catch {}
        guard let cached else { return try await loadShared(request, context) }
        context.report(.cached(ImageResponse(cached, request)))
        do throws(ImageError) {
            // The cached image is better than any preview.
            return try await context.relay(allowsPreviews: false, { context.report($0) }) {
                context throws(ImageError) in
                try await loadShared(request, shown: cached, context)
            }
        } catch .notCached {
            // Requests are not allowed.
            return cached
        }
    }

    // MARK: - Revalidation

    /// Asks the server about a cached entry. If that fails and the protocol allows it, the entry is used as it is.
    private func revalidate(
        _ cached: CachedEntry, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> CacheResolution {
        do throws(ImageError) {
            let answer = try await validate(cached.response, request, context)
            if !answer.value.isNotModified {
                return CacheResolution(request: request.adding(.fromLoaderOnly), file: answer)
            }
            return CacheResolution(
                request: request, file: cached.file, usesCache: true, timeline: answer.value.timeline)
        } catch .notCached {
            // Requests are not allowed.
            return CacheResolution(request: request.adding(.fromCacheOnly), file: cached.file, usesCache: true)
        } catch {
            guard let stored = cached.response,
                CacheDecision.mayReplaceError(
                    error, with: stored, request: headers(for: request, stored), now: configuration.date())
            else { throw error }
            observation.warn(.outdated(error))
            return CacheResolution(request: request, file: cached.file, usesCache: true)
        }
    }

    /// Sends a conditional request, once for all loads that need it. Returns the new file, or data that is not modified.
    private func validate(
        _ stored: StoredResponse?, _ request: ImageRequest, timeout: Duration? = nil, _ context: LoadContext
    ) async throws(ImageError) -> SharedFile {
        let answer = try await coalesce(files, .validation(request), request, context) {
            [self] context throws(ImageError) in
            var question = request.validating(stored)
            if let timeout { question.http.timeouts.total = min(question.http.timeouts.total ?? timeout, timeout) }
            let answer = try await download(question, context)
            if answer.isNotModified, let response = answer.response { confirm(response, insteadOf: stored, request) }
            return answer
        }
        guard !answer.value.isNotModified else { return answer }
        // Loads that do not validate can join the new file.
        let published = answer.role == .leader ? nil : files.finishedValue(for: .file(request))
        var file = published ?? files.publish(answer.value, for: .file(request))
        file.value = applyStoragePolicy(of: request, to: answer.value)
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

    /// Records what a 304 response says (RFC 9111 4.3.4), at once in memory and later on disk.
    private func confirm(_ response: StoredResponse, insteadOf stored: StoredResponse?, _ request: ImageRequest) {
        known.confirm(response, for: request.originalKey)
        confirmations.begin(.file(request), follows: true) { [self] in
            // A later response may have arrived.
            guard let last = known.response(of: request.originalKey), last.isSameVersion(as: stored) else { return }
            await write(last, insteadOf: stored, request)
        }
    }

    /// Writes a response beside each cached file of the version that was validated.
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

    // MARK: - What is cached

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
        let places = [
            (key, fileCache(of: request), request.cache.queryOriginal),
            (request.diskKey, imageCache(of: request), request.cache.query),
        ]
        for (key, cache, levels) in places where levels.contains(.disk) {
            guard let metadata = try? await cache.metadata(for: key) else { continue }
            let provenance = Provenance(metadata, stamp: 0)
            if known.recordCached(provenance, for: request.originalKey) {
                return CachedEntry(response: provenance.response, isPresent: true)
            }
        }
        return CachedEntry(response: known.response(of: key))
    }

    /// Whether an image in memory may be used without asking a server.
    func isFresh(_ request: ImageRequest) -> Bool {
        guard request.http.policy == .standard, request.isHTTP, !request.options.contains(.fromCacheOnly) else {
            return true
        }
        let stored = known.response(of: request.originalKey)
        let decision = CacheDecision.decide(
            .standard, stored: stored, request: headers(for: request, stored), now: configuration.date())
        return decision == .use
    }

    /// Whether images made from a file may be used. By the protocol, only if it is known whether the file is current.
    func mayUseVariants(_ request: ImageRequest) -> Bool {
        request.http.policy != .standard || !request.isHTTP || request.options.contains(.fromCacheOnly)
            || known.contains(request.originalKey)
    }

    /// Marks a file from the network with whether this request's policy lets it be stored (RFC 9111 3). It may have been loaded for
    /// another request.
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

    /// The header fields to decide by. The loader's own fields matter only if `Vary` can name them, and take time to find out.
    private func headers(for request: ImageRequest, _ stored: StoredResponse?) -> HTTPHeaders {
        stored?.vary.isEmpty == false ? loader(of: request).headers(for: request) : request.http.headers
    }
}
