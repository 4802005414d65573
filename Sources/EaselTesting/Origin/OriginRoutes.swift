import EaselCore

/// The responses of the origin by path.
struct OriginRoutes: Sendable {
    typealias Handler = @Sendable (OriginRequest) async -> OriginResponse

    private enum Route: Sendable {
        case script(Script<OriginResponse>)
        case handler(Handler)
    }

    private struct Folder: Sendable {
        let prefix: String
        let path: String
        let headers: HTTPHeaders
    }

    private var routes: [String: Route] = [:]
    private var folders: [Folder] = []

    mutating func respond(_ path: String, with responses: [OriginResponse]) {
        routes[path] = .script(Script(responses))
    }

    mutating func respond(_ path: String, handler: @escaping Handler) {
        routes[path] = .handler(handler)
    }

    mutating func serve(folder: String, at prefix: String, headers: HTTPHeaders) {
        let prefix = prefix.hasSuffix("/") ? prefix : prefix + "/"
        folders.insert(Folder(prefix: prefix, path: folder, headers: headers), at: 0)
    }

    /// Returns the response to the next request for `path`. Routes precede folders, and later folders earlier ones.
    mutating func handler(for path: String) -> Handler {
        switch routes[path] {
        case .handler(let handler):
            return handler
        case .script(var script):
            let response = script.next() ?? .status(404)
            routes[path] = .script(script)
            return { _ in response }
        case nil:
            let response = file(for: path) ?? .status(404)
            return { _ in response }
        }
    }

    private func file(for path: String) -> OriginResponse? {
        guard let folder = folders.first(where: { path.hasPrefix($0.prefix) }),
            let name = ServedPath.name(path.dropFirst(folder.prefix.count))
        else { return nil }
        return OriginResponse.file(folder.path + "/" + name).with(headers: folder.headers)
    }
}

/// Maps a request's path to a file below a served folder.
enum ServedPath {
    /// Returns the relative path of the file; `nil` if it is outside of the folder, hidden or empty.
    static func name(_ path: Substring) -> String? {
        guard let decoded = decode(path), !decoded.utf8.contains(0) else { return nil }
        // Split after decoding, since `%2F` is a separator in the file system, too.
        let names = decoded.split(separator: "/", omittingEmptySubsequences: false)
        guard !names.contains(where: { $0.isEmpty || $0.hasPrefix(".") }) else { return nil }
        return decoded
    }

    /// Decodes percent-encoding (RFC 3986 2.1), which FoundationEssentials lacks.
    private static func decode(_ path: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = path.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let digits = String(rest.prefix(2)), digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
