import EaselFoundation

/// Several loaders as one: the first that takes a request loads it.
public struct ImageLoaderChain: ImageLoading {
    private let loaders: [any ImageLoading]

    /// A chain that asks these loaders in order.
    public init(_ loaders: [any ImageLoading]) {
        self.loaders = loaders
    }

    /// Whether one of them takes it.
    public func canLoad(_ request: ImageRequest) -> Bool {
        loaders.contains { $0.canLoad(request) }
    }

    /// The fields that the loader sends which takes the request.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        loaders.first { $0.canLoad(request) }?.headers(for: request) ?? request.http.headers
    }

    /// Loads with the first that takes the request.
    ///
    /// - Throws: `ImageError.invalidURL` where none does (X118: never silence).
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard let loader = loaders.first(where: { $0.canLoad(request) }) else {
            throw .invalidURL(
                "No loader takes \(request.url.scheme.map { "\($0): URLs" } ?? "a URL without a scheme").")
        }
        return try await loader.load(request, context)
    }
}
