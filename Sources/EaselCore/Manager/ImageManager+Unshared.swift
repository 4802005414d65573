import EaselFoundation

/// Loads that are more than work to be shared: what the cache has comes first, and a server is asked then; or the file is
/// wanted beside a picture that is in memory.
extension ImageManager {
    func outcome(
        _ request: ImageRequest, _ context: LoadContext
    ) async -> Result<ImageResponse, ImageError> {
        let started = ContinuousClock.now
        do throws(ImageError) {
            var response = try await response(request, context)
            response.timeline.total = .now - started
            return .success(response)
        } catch {
            return .failure(error)
        }
    }

    private func response(
        _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        guard !request.url.absoluteString.isEmpty else { throw .invalidURL("The URL is empty.") }
        if request.refreshes { return try await refreshed(request, context) }
        if var response = inMemory(request) {
            response.data = await data(behind: request)
            return response
        }
        return try await loaded(request, context)
    }

    /// What the cache has first, as an event, and then what the server says to that (R002, S081): the same picture where
    /// it is still current, without a new decode (S096).
    private func refreshed(
        _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        var cacheOnly = request.adding(.fromCacheOnly)
        cacheOnly.options.remove(.refreshCached)
        var shown: ImageResponse?
        do throws(ImageError) {
            let response = try await response(cacheOnly, context)
            context.report(.cached(response))
            shown = response
        } catch {
            if case .cancelled = error { throw error }
        }
        guard let shown else { return try await loaded(request, context) }
        // What is shown is better than any preview (S092).
        return try await context.relaying(allowsPreviews: false, { context.report($0) }) { context throws(ImageError) in
            do throws(ImageError) {
                return try await loaded(request, shown: shown, context)
            } catch {
                // Nobody may be asked about it (S069).
                if case .notCached = error { return shown }
                throw error
            }
        }
    }

    private func loaded(
        _ request: ImageRequest, shown: ImageResponse? = nil, _ context: LoadContext
    ) async throws(ImageError) -> ImageResponse {
        let shown = shown.map { Pipeline.Picture(image: $0.image, source: $0.source, data: $0.data) }
        return ImageResponse(try await pipeline.picture(request, shown: shown, context), request)
    }

    private func data(behind request: ImageRequest) async -> Data? {
        guard request.options.contains(.queryMemoryData) else { return nil }
        return try? await pipeline.fileCache(of: request).data(for: request.originalKey)
    }
}
