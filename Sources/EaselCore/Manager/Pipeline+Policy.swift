import EaselFoundation

/// How a request's cache policy is followed (RFC 9111) before its way goes on: is what is kept to be used as it is, to be
/// asked about, or not to be used at all?
extension Pipeline {
    /// What a load goes on with.
    struct Standing {
        /// What is asked of the rest of the way.
        var request: ImageRequest
        /// The file to use, where it is in hand.
        var original: Original?
        /// Whether what is kept is to be used.
        var usesKept = false
        /// What finding out has taken.
        var timeline = LoadTimeline()
    }

    /// The answer to a question whether a file is current: a new file, or `nil` where it is.
    struct Validation: Timed {
        var original: Original?
        var timeline = LoadTimeline()
    }

    /// What is kept for a request.
    private struct Kept {
        /// What is known of the answer that brought it.
        var response: StoredResponse?
        /// Whether the picture or its file can be had.
        var isThere = false
        /// The file, where it is in hand.
        var original: Original?
    }

    /// - Parameter wantsFile: whether only the original file will do.
    func standing(
        of request: ImageRequest, wantsFile: Bool = false, _ context: LoadContext
    ) async throws(ImageError) -> Standing {
        let isRefresh = request.options.contains(.refreshCached)
        var request = request.removing(.refreshCached)
        if request.http.policy == .offline, request.isHTTP { request = request.adding(.fromCacheOnly) }
        guard isRefresh || request.http.policy == .standard,
            request.options.isDisjoint(with: [.fromCacheOnly, .fromLoaderOnly])
        else { return Standing(request: request) }
        guard request.isHTTP else { return Standing(request: isRefresh ? request.adding(.fromLoaderOnly) : request) }
        return try await protocolStanding(of: request, wantsFile: wantsFile, isRefresh: isRefresh, context)
    }

    /// By the protocol: what is kept decides. Not inlined: other loads need no room for it.
    @inline(never)
    private func protocolStanding(
        of request: ImageRequest, wantsFile: Bool, isRefresh: Bool, _ context: LoadContext
    ) async throws(ImageError) -> Standing {
        let kept = await kept(for: request, wantsFile: wantsFile)
        let decision = CacheDecision.decide(
            request.http.policy, stored: kept.response, request: headers(for: request, kept.response),
            isRefresh: isRefresh, now: date())
        switch decision {
        case .use:
            return Standing(request: request, original: kept.original, usesKept: true)
        case .useWhileRevalidating:
            refreshBehind(request, kept.response)
            return Standing(request: request, original: kept.original, usesKept: true)
        case .revalidate where kept.isThere:
            return try await confirmed(kept, request, context)
        case .revalidate, .fetch:
            // What cannot be used is not even looked at. Where there is nothing, a load that is under way may be joined.
            let isNothing = !kept.isThere && !known.knows(request.originalKey) && !isRefresh
            return Standing(request: isNothing ? request : request.adding(.fromLoaderOnly))
        case .fail:
            throw .notCached
        }
    }

    /// What the server says about what is kept. Where it fails, and the protocol allows that, what is kept stands in.
    private func confirmed(
        _ kept: Kept, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> Standing {
        do throws(ImageError) {
            let answer = try await validation(of: kept.response, request, context)
            if let original = answer.original {
                return Standing(request: request.adding(.fromLoaderOnly), original: original)
            }
            return Standing(request: request, original: kept.original, usesKept: true, timeline: answer.timeline)
        } catch .notCached {
            // Nobody may be asked: what is kept is all there is.
            return Standing(request: request.adding(.fromCacheOnly), original: kept.original, usesKept: true)
        } catch {
            guard let stored = kept.response,
                CacheDecision.mayReplaceError(
                    error, with: stored, request: headers(for: request, stored), now: date())
            else { throw error }
            warn(.outdated(error))
            return Standing(request: request, original: kept.original, usesKept: true)
        }
    }

    /// Asks the server, once for all who want to know.
    private func validation(
        of stored: StoredResponse?, _ request: ImageRequest, within limit: Duration? = nil, _ context: LoadContext
    ) async throws(ImageError) -> Validation {
        let key = request.sharedOriginal
        var validation = try await shared(validations, key, request, context) { context throws(ImageError) in
            var question = request.validating(stored)
            if let limit { question.http.timeouts.total = min(question.http.timeouts.total ?? limit, limit) }
            let answer = try await self.loaded(question, context)
            guard answer.isNotModified, let response = answer.response else {
                let original = self.held.hold(answer, for: key)
                return Validation(original: original, timeline: original.timeline)
            }
            self.confirm(response, insteadOf: stored, request)
            return Validation(timeline: answer.timeline)
        }
        validation.original = validation.original.map { judged($0, request) }
        return validation
    }

    /// Asks the server behind everybody's back (RFC 5861 3).
    private func refreshBehind(_ request: ImageRequest, _ stored: StoredResponse?) {
        refreshes.begin(request.sharedOriginal) { [self] in
            let context = LoadContext(priority: .low, observation: observation) { _ in }
            var request = request.adding([.fromLoaderOnly, .waitStoreCache])
            request.retry = .none
            guard let answer = try? await validation(of: stored, request, within: Self.longestRefresh, context),
                let original = answer.original, await pixels.isSound(original.file, request)
            else { return }
            await storeOriginal(accepted(original, request), request)
        }
    }

    /// Nobody waits for a refresh but the end of a command.
    private static let longestRefresh = Duration.seconds(60)

    /// Keeps what a 304 told (RFC 9111 4.3.4). Nobody waits for the disk: what matters now is known.
    private func confirm(_ response: StoredResponse, insteadOf stored: StoredResponse?, _ request: ImageRequest) {
        known.confirm(response, for: request.originalKey)
        confirmations.begin(request.sharedOriginal, follows: true) { [self] in
            // Another may have come meanwhile.
            guard let last = known.response(of: request.originalKey), last.isSameVersion(as: stored) else { return }
            await write(last, insteadOf: stored, request)
        }
    }

    /// Writes what is known of an answer beside each file of the version that was asked about.
    private func write(_ response: StoredResponse, insteadOf stored: StoredResponse?, _ request: ImageRequest) async {
        var places = [(request.originalKey, fileCache(of: request))]
        if !request.isOriginal { places.append((request.diskKey, pictureCache(of: request))) }
        for (key, cache) in places {
            guard var metadata = try? await cache.metadata(for: key),
                let present = StoredResponse(metadata: metadata.fields), present.isSameVersion(as: stored)
            else { continue }
            metadata.fields = response.replacing(in: metadata.fields)
            do throws(ImageError) {
                try await cache.setMetadata(metadata, for: key)
            } catch {
                warn(.notStored(error))
            }
        }
    }

    // MARK: - What is kept

    private func kept(for request: ImageRequest, wantsFile: Bool) async -> Kept {
        let key = request.originalKey
        if let held = held.original(for: request.sharedOriginal) {
            return Kept(response: held.file.response, isThere: true, original: judged(held, request))
        }
        if !wantsFile, request.cache.query.contains(.memory), let response = known.response(of: key),
            let image = pictureCache(of: request).image(for: request.key), known.isCurrent(image, request)
        {
            return Kept(response: response, isThere: true)
        }
        if wantsFile || request.isOriginal {
            guard let file = await cachedOriginal(request) else { return Kept(response: known.response(of: key)) }
            return Kept(
                response: file.response, isThere: true, original: held.hold(file, for: request.sharedOriginal))
        }
        let places = [
            (key, fileCache(of: request), request.cache.queryOriginal),
            (request.diskKey, pictureCache(of: request), request.cache.query),
        ]
        for (key, cache, levels) in places where levels.contains(.disk) {
            guard let metadata = try? await cache.metadata(for: key) else { continue }
            let provenance = Provenance(metadata, stamp: 0)
            if known.found(provenance, for: request.originalKey) {
                return Kept(response: provenance.response, isThere: true)
            }
        }
        return Kept(response: known.response(of: key))
    }

    /// Whether what is in memory may be used without asking anybody.
    func isFresh(_ request: ImageRequest) -> Bool {
        guard request.http.policy == .standard, request.isHTTP, !request.options.contains(.fromCacheOnly) else {
            return true
        }
        let stored = known.response(of: request.originalKey)
        let decision = CacheDecision.decide(
            .standard, stored: stored, request: headers(for: request, stored), now: date())
        return decision == .use
    }

    /// Whether pictures that were made from a file may be used: by the protocol only of a file whose standing is settled.
    func mayUseVariants(_ request: ImageRequest) -> Bool {
        request.http.policy != .standard || !request.isHTTP || request.options.contains(.fromCacheOnly)
            || known.knows(request.originalKey)
    }

    /// Whether the request's policy lets a file be kept (RFC 9111 3). Of other loaders' files nothing is known.
    func mayBeKept(_ file: LoadedData, _ request: ImageRequest) -> Bool {
        guard request.http.policy == .standard, request.isHTTP, let response = file.response else { return true }
        return response.mayBeStored(for: request.http.headers)
    }

    /// The fields to decide by. What the loader adds to the request's own matters only where `Vary` may name it, and is
    /// dear to find out.
    private func headers(for request: ImageRequest, _ stored: StoredResponse?) -> HTTPHeaders {
        stored?.vary.isEmpty == false ? loader(of: request).headers(for: request) : request.http.headers
    }
}

extension Pipeline.Picture {
    /// The picture with what it took to find out about it.
    func after(_ standing: Pipeline.Standing) -> Pipeline.Picture {
        var picture = self
        picture.timeline.add(standing.timeline)
        return picture
    }
}

extension LoadTimeline {
    /// Counts what happened before.
    mutating func add(_ earlier: LoadTimeline) {
        queued = queued ?? earlier.queued
        disk = disk ?? earlier.disk
        firstByte = firstByte ?? earlier.firstByte
        transfer = transfer ?? earlier.transfer
        requests += earlier.requests
        bytesReceived += earlier.bytesReceived
        bytesSaved += earlier.bytesSaved
        isCoalesced = isCoalesced || earlier.isCoalesced
    }
}
