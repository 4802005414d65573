public import EaselFoundation

extension ImageRequest {
    /// A small image that is shown before the requested one.
    public enum Preview: Sendable, Hashable {
        /// The image at a URL, with the size and the transforms of the request.
        case url(URL)
    }

    /// What a load does when the network is constrained. An image that is cached is used in any case.
    public enum LowDataAction: Sendable, Hashable {
        /// Loads the image.
        case load
        /// Ends with `ImageError.notCached`.
        case cacheOnly
        /// Loads a smaller image, which is cached under its own URL.
        case smaller(URL)
    }

    /// The URL of the request that this one is an alternative of, else its own.
    var primaryURL: URL { fields.primary?.url ?? url }

    /// The URL of this request if it is an alternative.
    var alternativeURL: URL? { fields.primary == nil ? nil : url }

    /// The key for failures of this URL.
    var failureKey: CacheKey { fields.primary == nil ? originalKey : CacheKey(url.textWithoutUserAndFragment) }

    /// Returns the request for the next alternative, which has this request's keys; `nil` if there is none, or none can
    /// help.
    func alternative(after error: ImageError) -> ImageRequest? {
        let isFinal = [ImageError.Code.cancelled, .notCached, .invalidated].contains(error.code)
        guard let next = alternatives.first, !isFinal else { return nil }
        let primary = fields.primary ?? Primary(key: originalKey, url: url)
        var request = moved(to: next)
        request.fields.alternatives.removeFirst()
        request.fields.primary = primary
        return request
    }

    /// Returns the request for the small image of `preview`.
    func preview(at url: URL) -> ImageRequest {
        var request = moved(to: url).removing([.refreshCached, .progressive, .fromLoaderOnly])
        (request.fields.preview, request.fields.placeholder, request.fields.alternatives) = (nil, nil, [])
        (request.cache.key, request.cache.isPinned) = (nil, false)
        if priority == .normal { request.priority = .high }
        return request
    }

    /// Returns the request for the image that `LowDataAction.smaller` names.
    func smaller(at url: URL) -> ImageRequest {
        var request = preview(at: url)
        (request.fields.onLowData, request.fields.isSubstitute, request.priority) = (.load, true, priority)
        return request
    }
}
