public import EaselCore
import Synchronization

/// A server or its configuration, whose responses can be set by path.
public protocol OriginRouting {
    /// The responses.
    var routes: OriginRoutes { get }
}

extension OriginRouting {
    /// Responds to later requests for `path`, with any query, with `response`. Appends faults to those of the response.
    public func respond(_ path: String, with response: OriginResponse, faults: [OriginFault] = []) {
        respond(path, with: [response.with(faults: faults)])
    }

    /// Responds to later requests for `path` with `responses` in order. The last one repeats.
    public func respond(_ path: String, with responses: [OriginResponse]) {
        let script = Monitor(Script(responses))
        respond(path) { _ in script.update { $0.next() } ?? .status(404) }
    }

    /// Responds to later requests for `path` with the result of `handler`.
    public func respond(_ path: String, handler: @escaping @Sendable (OriginRequest) async -> OriginResponse) {
        routes.state.withLock { $0.handlers[path] = handler }
    }

    /// Serves the files below `folder` at paths that begin with `prefix`. A path's own response takes precedence, and a
    /// later folder precedes an earlier one.
    ///
    /// Hidden files and paths outside of the folder are not served.
    ///
    /// - Parameters:
    ///   - folder: a path in the file system. Files are read on request.
    ///   - prefix: the path of the folder on the server.
    ///   - headers: fields for every file, such as `Cache-Control`.
    public func serve(folder: String, at prefix: String = "/", headers: HTTPHeaders = [:]) {
        let prefix = prefix.hasSuffix("/") ? prefix : prefix + "/"
        routes.state.withLock { $0.folders.insert((prefix, folder, headers), at: 0) }
    }
}

/// The responses of the origin by path.
public final class OriginRoutes: Sendable {
    fileprivate struct State: Sendable {
        var handlers: [String: @Sendable (OriginRequest) async -> OriginResponse] = [:]
        var folders: [(prefix: String, path: String, headers: HTTPHeaders)] = []
    }

    fileprivate let state = Mutex(State())

    /// Returns the response to a request.
    func response(to request: OriginRequest) async -> OriginResponse {
        let handler = state.withLock { $0.handlers[request.path] }
        return await handler?(request) ?? file(for: request.path) ?? .status(404)
    }

    private func file(for path: String) -> OriginResponse? {
        guard let folder = state.withLock({ state in state.folders.first { path.hasPrefix($0.prefix) } }),
            let name = ServedPath.name(path.dropFirst(folder.prefix.count))
        else { return nil }
        return OriginResponse.file(folder.path + "/" + name).with(headers: folder.headers)
    }
}

/// A mapping of a request's path to a file below a served folder.
enum ServedPath {
    /// Returns the relative path of the file; `nil` if it is outside of the folder, hidden or empty.
    static func name(_ path: Substring) -> String? {
        guard let data: [UInt8] = PercentEncoding.decode(path.utf8),
            let decoded = String(validating: data, as: UTF8.self),
            !decoded.utf8.contains(0)
        else { return nil }
        // Split after decoding, since `%2F` is a separator in the file system, too.
        let names = decoded.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return nil }
        return decoded
    }
}
