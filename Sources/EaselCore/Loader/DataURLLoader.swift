import EaselFoundation

/// Loads `data:` URLs (RFC 2397): base64 or percent-encoded.
public struct DataURLLoader: ImageLoading {
    /// A loader for data URLs.
    public init() {}

    /// Takes `data:` URLs, whatever the case (B25).
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "data" }

    /// Decodes what the URL holds.
    ///
    /// - Throws: `ImageError.invalidURL` where it is malformed, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let text = request.url.absoluteString
        let limit = request.limits.bytes
        // Not blocking, but not short either: a URL may hold megabytes.
        let data = try await WorkerPool.pixels.run { () throws(ImageError) in
            try Self.decode(text, limit: limit)
        }
        context.report(received: data.count, expected: data.count)
        var timeline = LoadTimeline()
        timeline.transfer = .now - started
        return LoadedData(data: data, source: .data, timeline: timeline)
    }

    static func decode(_ url: String, limit: Int) throws(ImageError) -> Data {
        let bytes = try DataURL.content(of: url)
        guard bytes.count <= limit else { throw .tooLarge(.bytes(bytes.count, limit: limit)) }
        return bytes
    }
}
