public import EaselFoundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Several loaders as one: the first that accepts a request loads it.
public struct ImageLoaderChain: ImageLoading {
    private let loaders: [any ImageLoading]

    /// A chain of these loaders, in order.
    public init(_ loaders: [any ImageLoading]) {
        self.loaders = loaders
    }

    /// Whether one of them accepts the request.
    public func canLoad(_ request: ImageRequest) -> Bool {
        loaders.contains { $0.canLoad(request) }
    }

    /// The fields that the accepting loader sends.
    public func headers(for request: ImageRequest) -> HTTPHeaders {
        loaders.first { $0.canLoad(request) }?.headers(for: request) ?? request.http.headers
    }

    /// Loads with the first that accepts the request.
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

/// Loads `file:` URLs.
public struct FileLoader: ImageLoading {
    /// A loader for files.
    public init() {}

    /// Whether it is a `file:` URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.isFileURL }

    /// Reads the whole file. A pipe is read as its writer writes, without a blocked thread.
    ///
    /// - Throws: `ImageError.unreadable`, or `.tooLarge` for a file over `request.limits.bytes`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        try await Self.load(path: request.url.path, limit: request.limits.bytes, context)
    }

    fileprivate static func load(
        path: String, limit: Int, _ context: LoadContext
    ) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        var data = Data()
        let first = try await read(path) { () throws(SystemError) in
            let file = try SourceFile(path)
            return (file: file, isWhole: try file.read(into: &data, limit: limit))
        }
        var isWhole = first.isWhole
        while !isWhole {
            // A pipe whose writer is slow.
            do { try await Task.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
            isWhole = try await read(path) { () throws(SystemError) in try first.file.read(into: &data, limit: limit) }
        }
        if Task.isCancelled { throw .cancelled }
        guard data.count <= limit else { throw .tooLarge(.bytes(data.count, limit: limit)) }
        context.report(received: data.count, expected: data.count)
        var timeline = LoadTimeline()
        timeline.transfer = .now - started
        return LoadedData(data: data, source: .file, timeline: timeline)
    }

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

/// Loads images of the application's bundle: `bundle:icons/plus.png` is the file `icons/plus.png` of its resources.
public struct BundleLoader: ImageLoading {
    private let folder: String

    /// A loader for the application's own resources: those of its bundle or, without bundles, the files beside its
    /// executable.
    public init() {
        self.init(folder: Self.mainFolder)
    }

    /// A loader for the files in `folder`, such as `Bundle.module.bundlePath`.
    public init(folder: String) {
        self.folder = folder
    }

    /// Whether it is a `bundle:` URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "bundle" }

    /// Reads the whole file.
    ///
    /// - Throws: `ImageError.invalidURL` for a name that leads out of the folder, `.unreadable`, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let names = Self.path(request.url).split(separator: "/")
        guard !names.isEmpty, !names.contains(".."), !names.contains("."), !names.contains(where: { $0.contains("\0") })
        else { throw .invalidURL("The bundle: URL names no resource.") }
        let path = folder + "/" + names.joined(separator: "/")
        return try await FileLoader.load(path: path, limit: request.limits.bytes, context)
    }

    /// The part after the scheme, with or without slashes, percent-decoded.
    private static func path(_ url: URL) -> String {
        let text = url.absoluteString
        let rest = text[text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)...]
        let name = rest.prefix { $0 != "?" && $0 != "#" }
        return DataURL.unescaped(name.utf8).map { String(decoding: $0, as: UTF8.self) } ?? ""
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

/// A loader for a scheme of one's own, which implements the scheme and reading the bytes. Limits, progress, times and
/// cancellation are handled.
public protocol SchemeLoading: ImageLoading {
    /// The scheme, in lower case, such as `photos`.
    var scheme: String { get }

    /// Where images come from. Those from the network are stored in the disk cache; files are not.
    var source: ImageSource { get }

    /// The bytes at a URL.
    ///
    /// - Throws: any error. An `ImageError` is passed on; others become `ImageError.unreadable`.
    func data(for url: URL) async throws -> Data
}

extension SchemeLoading {
    /// The network.
    public var source: ImageSource { .network }

    /// Whether the URL has the scheme, in any case.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == scheme }

    /// Loads the bytes, within the limit.
    ///
    /// - Throws: `ImageError.tooLarge`, `.badData` for none, `.cancelled`, and the errors of `data(for:)`.
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

/// A file that is read without blocking on a pipe's writer.
///
/// It is read and not mapped: a mapped file that another process truncates ends this one (SIGBUS).
private final class SourceFile: Sendable {
    private let descriptor: Int32
    private let expected: Int

    /// Opens a regular file, a pipe or a terminal.
    ///
    /// - Throws: the system's reason; `EISDIR` for a folder, `ENOTSUP` for a disk and the like.
    init(_ path: String) throws(SystemError) {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .last }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        expected = max(0, Int(status.st_size))
        // All properties are set: from here on a throw runs `deinit`, which closes.
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFIFO, S_IFCHR: return
        case S_IFDIR: throw SystemError(number: EISDIR)
        default: throw SystemError(number: ENOTSUP)
        }
    }

    deinit { close(descriptor) }

    /// Adds the available bytes to `data`, up to one byte over `limit`. Returns whether the end is reached. May block
    /// on a slow disk.
    func read(into data: inout Data, limit: Int) throws(SystemError) -> Bool {
        let limit = min(max(0, limit), Int.max / 2)
        while data.count <= limit {
            let filled = data.count
            // One byte more than expected finds the end in the same call.
            let wanted = filled < expected ? expected - filled + 1 : 64 << 10
            let room = min(wanted, limit - filled + 1)
            data.append(Data(count: room))
            let count = data.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { systemRead(descriptor, $0 + filled, room) } ?? 0
            }
            let error = SystemError.last
            data.removeLast(room - max(0, count))
            if count == 0 { return true }
            if count < 0, error.isInterrupted { continue }
            if count < 0, error.number == EAGAIN { return false }
            if count < 0 { throw error }
        }
        return true
    }
}
