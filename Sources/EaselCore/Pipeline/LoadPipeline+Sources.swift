import EaselFoundation

/// The other URLs of a request: its alternatives, and the smaller image for a constrained network.
extension LoadPipeline {
    /// Runs `body` for the request, subject to the network's conditions, and then for each alternative until one
    /// succeeds.
    ///
    /// - Throws: The error of the request's own URL.
    func tryingOtherURLs<Value>(
        of request: ImageRequest, _ body: (ImageRequest) async throws(ImageError) -> Value
    ) async throws(ImageError) -> Value {
        var request = request
        let conditions = request.isHTTP ? configuration.networkConditions() : []
        if conditions.contains(.offline), !request.retry.waitsForNetwork {
            request.fields.isOffline = true
            request.fields.http.policy = .offline
        } else if conditions.contains(.constrained), request.onLowData != .load {
            do throws(ImageError) {
                return try await body(request.adding(.fromCacheOnly))
            } catch {
                guard error.code == .notCached, case .smaller(let url) = request.onLowData else { throw error }
                var smaller = request.smaller(at: url)
                smaller.cache.key = configuration.keyFilter?(url)
                await mark(smaller)
                return try await body(smaller)
            }
        }
        do throws(ImageError) {
            return try await body(request)
        } catch {
            guard let next = request.alternative(after: error) else { throw error }
            do throws(ImageError) {
                return try await tryingOtherURLs(of: next, body)
            } catch {
                if error.code == .cancelled { throw error }
            }
            throw error
        }
    }
}

extension ImageManager {
    /// Loads the small image of a request's `preview` beside the load, and delivers it unless more of the image itself
    /// has arrived.
    @discardableResult
    func showPreview(of task: ImageTask) -> Task<Void, Never>? {
        guard case .url(let url) = task.request.preview else { return nil }
        let small = task.request.preview(at: url)
        if let image = cachedImage(for: small) {
            task.deliver(preview: image, from: url)
            return nil
        }
        let work = Task {
            // An image that is cached takes no longer than the small one.
            let isCached = await !contains(task.request, in: .disk).isEmpty
            if let image = try? await image(for: isCached ? small.adding(.fromCacheOnly) : small) {
                task.deliver(preview: image, from: url)
            }
        }
        task.observeEnd { _ in work.cancel() }
        return work
    }
}
