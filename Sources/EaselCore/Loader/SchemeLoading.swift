public import EaselFoundation

/// A loader for a scheme of one's own: say which, and where the bytes are.
///
/// Limits, progress, times and cancellation are seen to.
public protocol SchemeLoading: ImageLoading {
    /// The scheme that it takes, in lower case, such as `photos`.
    var scheme: String { get }
    /// Where pictures come from. Those from the network are kept in the cache on disk; files are at hand anyway.
    var source: ImageSource { get }
    /// The bytes behind a URL.
    ///
    /// - Throws: whatever is wrong. An `ImageError` comes through as it is, others as `ImageError.unreadable`.
    func data(for url: URL) async throws -> Data
}

extension SchemeLoading {
    /// The network.
    public var source: ImageSource { .network }

    /// Takes URLs of its scheme, whatever the case.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == scheme }

    /// The bytes, counted.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for none, `.cancelled`, and what `data(for:)` throws.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let data = try await bytes(of: request.url)
        if Task.isCancelled { throw .cancelled }
        guard !data.isEmpty else { throw .badData("There is nothing behind this \(scheme): URL.") }
        guard data.count <= request.limits.bytes else {
            throw .tooLarge(.bytes(data.count, limit: request.limits.bytes))
        }
        context.report(received: data.count, expected: data.count)
        var timeline = LoadTimeline()
        timeline.transfer = .now - started
        return LoadedData(data: data, source: source, timeline: timeline)
    }

    private func bytes(of url: URL) async throws(ImageError) -> Data {
        do {
            return try await data(for: url)
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .unreadable(path: "This \(scheme): URL", reason: String(describing: error))
        }
    }
}
