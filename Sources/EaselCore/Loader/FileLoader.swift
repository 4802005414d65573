#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Loads `file:` URLs as others load http ones.
public struct FileLoader: ImageLoading {
    /// A loader for files.
    public init() {}

    /// Takes `file:` URLs.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.isFileURL }

    /// Reads the whole file.
    ///
    /// - Throws: `ImageError.unreadable`, or `.tooLarge` for a file over `request.limits.bytes`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let path = request.url.path
        let limit = request.limits.bytes
        let data = try await WorkerPool.files.run { () throws(ImageError) in
            do throws(SystemError) {
                return try readFile(path, limit: limit)
            } catch {
                throw .unreadable(path: path, reason: error.reason)
            }
        }
        if Task.isCancelled { throw .cancelled }
        guard data.count <= limit else { throw .tooLarge(.bytes(data.count, limit: limit)) }
        context.report(received: data.count, expected: data.count)
        var timeline = LoadTimeline()
        timeline.transfer = .now - started
        return LoadedData(data: data, source: .file, timeline: timeline)
    }
}
