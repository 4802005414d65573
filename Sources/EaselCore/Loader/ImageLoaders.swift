public import EaselFoundation

/// Several loaders, of which the first that accepts a request loads it.
public struct ImageLoaderChain: ImageLoading {
    private let loaders: [any ImageLoading]

    /// Creates a chain.
    public init(_ loaders: [any ImageLoading]) { self.loaders = loaders }

    /// Returns whether one of the loaders accepts the request.
    public func canLoad(_ request: ImageRequest) -> Bool {
        loaders.contains { $0.canLoad(request) }
    }

    /// Returns the fields that the accepting loader sends.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        loaders.first { $0.canLoad(request) }?.headers(for: request) ?? request.http.headers
    }

    /// Loads with the first loader that accepts the request.
    ///
    /// - Throws: `ImageError.invalidURL` if none does.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        guard let loader = loaders.first(where: { $0.canLoad(request) }) else {
            throw .invalidURL(
                "No loader takes \(request.url.scheme.map { "\($0): URLs" } ?? "a URL without a scheme").")
        }
        return try await loader.load(request, context)
    }
}

/// A loader of `file:` URLs.
public struct FileLoader: ImageLoading {
    /// Creates a loader.
    public init() {}

    /// Returns whether the URL is a `file:` URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.isFileURL }

    /// Reads the file. A pipe is read to its end, without a blocked thread.
    ///
    /// - Throws: `ImageError.unreadable`, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        try await Self.load(path: request.url.path, request, context)
    }

    fileprivate static func load(
        path: String, _ request: ImageRequest, _ context: LoadContext
    ) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let limit = request.limits.bytes
        var data = Data()
        let (file, isRead) = try await read(path) { () throws(SystemError) in
            let file = try SourceFile(path)
            return (file, try file.read(into: &data, limit: limit))
        }
        var isWhole = isRead
        while !isWhole {
            // The writer of a pipe is slow.
            do { try await Task.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
            isWhole = try await read(path) { () throws(SystemError) in try file.read(into: &data, limit: limit) }
        }
        return try LoadedData(data, from: .file, request, context, started: started)
    }

    private static func read<Value>(
        _ path: String, _ body: () throws(SystemError) -> Value
    ) async throws(ImageError) -> Value {
        try await WorkerPool.reads.run { () throws(ImageError) in
            do throws(SystemError) { return try body() } catch { throw .unreadable(path: path, error) }
        }
    }
}

/// A file that is read without blocking on the writer of a pipe.
///
/// It is not mapped: if another process truncated a mapped file, this one would end (SIGBUS).
private final class SourceFile: Sendable {
    private let file: OpenFile
    private let byteCount: Int

    init(_ path: String) throws(SystemError) {
        file = try OpenFile(path: path, blocks: false)
        let facts = try file.facts()
        // A disk is not an image, and reading it can block.
        guard !facts.isBlockDevice else { throw .unsupported }
        byteCount = facts.byteCount
    }

    func read(into data: inout Data, limit: Int) throws(SystemError) -> Bool {
        try file.readAvailable(into: &data, expected: byteCount, limit: limit)
    }
}

/// A loader of resources of the application: `bundle:icons/plus.png` is the file `icons/plus.png`.
public struct BundleLoader: ImageLoading {
    private let folder: String

    /// Creates a loader for the files in a folder, such as `Bundle.module.bundlePath`. The default is the application's
    /// bundle or, without bundles, the folder of its executable.
    public init(folder: String? = nil) { self.folder = folder ?? Self.mainFolder }

    /// Returns whether the URL is a `bundle:` URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "bundle" }

    /// Reads the file.
    ///
    /// - Throws: `ImageError.invalidURL` for a name that leads out of the folder, `.unreadable`, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let names = Self.path(request.url).split(separator: "/")
        guard !names.isEmpty, !names.contains(".."), !names.contains("."), !names.contains(where: { $0.contains("\0") })
        else { throw .invalidURL("The bundle: URL names no resource.") }
        return try await FileLoader.load(path: folder + "/" + names.joined(separator: "/"), request, context)
    }

    /// Returns the part after the scheme, with or without slashes, percent-decoded.
    private static func path(_ url: URL) -> String {
        let text = url.absoluteString
        let rest = text[text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)...]
        let name = rest.prefix { $0 != "?" && $0 != "#" }
        let decoded: [UInt8]? = PercentEncoding.decode(name.utf8)
        return decoded.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static var mainFolder: String {
        #if canImport(FoundationEssentials)
        let executable =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments
            .first ?? ""
        return executable.lastIndex(of: "/").map { String(executable[..<$0]) } ?? "."
        #else
        return Bundle.main.resourcePath ?? Bundle.main.bundlePath
        #endif
    }
}

/// A loader for a custom URL scheme. Limits, progress, times and cancellation are handled.
public protocol SchemeLoading: ImageLoading {
    /// The scheme, in lower case, such as `photos`.
    var scheme: String { get }

    /// The source of the images. Those from the network, the default, are stored in the disk cache.
    var source: ImageSource { get }

    /// Returns the bytes at a URL.
    ///
    /// - Throws: Any error. One that is not an `ImageError` becomes `ImageError.unreadable`.
    func data(for url: URL) async throws -> Data
}

extension SchemeLoading {
    /// `.network`.
    public var source: ImageSource { .network }

    /// Returns whether the URL has the scheme, in any case.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == scheme }

    /// Loads the bytes.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for no bytes, `.cancelled`, and the errors of `data(for:)`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let data = try await bytes(of: request.url)
        guard !data.isEmpty else { throw .badData("The \(scheme): URL has no data.") }
        return try LoadedData(data, from: source, request, context, started: started)
    }

    private func bytes(of url: URL) async throws(ImageError) -> Data {
        do {
            return try await data(for: url)
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .unreadable(path: "This \(scheme): URL", reason: String(describing: error)).caused(by: error)
        }
    }
}
