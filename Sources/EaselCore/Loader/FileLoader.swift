import EaselFoundation

/// Loads `file:` URLs as others load http ones.
public struct FileLoader: ImageLoading {
    /// A loader for files.
    public init() {}

    /// Takes `file:` URLs.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.isFileURL }

    /// Reads the whole file. A pipe is read as its writer writes, and holds up no thread meanwhile.
    ///
    /// - Throws: `ImageError.unreadable`, or `.tooLarge` for a file over `request.limits.bytes`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        try await Self.load(path: request.url.path, limit: request.limits.bytes, context)
    }

    static func load(path: String, limit: Int, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        var data = Data()
        let first = try await read(path) { () throws(SystemError) in
            let file = try SourceFile(path)
            return (file: file, isWhole: try file.read(into: &data, limit: limit))
        }
        var isWhole = first.isWhole
        while !isWhole {
            do { try await Task.sleep(for: pauseOfPipe) } catch { throw .cancelled }
            isWhole = try await read(path) { () throws(SystemError) in try first.file.read(into: &data, limit: limit) }
        }
        if Task.isCancelled { throw .cancelled }
        guard data.count <= limit else { throw .tooLarge(.bytes(data.count, limit: limit)) }
        context.report(received: data.count, expected: data.count)
        var timeline = LoadTimeline()
        timeline.transfer = .now - started
        return LoadedData(data: data, source: .file, timeline: timeline)
    }

    /// Between two looks at a pipe whose writer is slow. Nobody waits on a thread meanwhile.
    private static let pauseOfPipe = Duration.milliseconds(10)

    private static func read<Value>(
        _ path: String, _ body: () throws(SystemError) -> Value
    ) async throws(ImageError) -> Value {
        try await WorkerPool.reads.run { () throws(ImageError) in
            do throws(SystemError) {
                return try body()
            } catch {
                throw .unreadable(path: path, reason: error.reason)
            }
        }
    }
}
