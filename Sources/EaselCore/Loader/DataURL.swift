package import EaselFoundation

/// A parser that reads `data:` URLs (RFC 2397).
package enum DataURL {
    /// Returns the content of a URL.
    ///
    /// - Parameter keepsStrayPercents: Whether a percent sign without two hexadecimal digits is kept, as in browsers.
    /// - Throws: `ImageError.invalidURL` if it is malformed.
    package static func content(of url: String, keepsStrayPercents: Bool = false) throws(ImageError) -> Data {
        guard let comma = url.firstIndex(of: ","), let colon = url.firstIndex(of: ":"), colon < comma else {
            throw .invalidURL("A data: URL needs a comma before its content.")
        }
        let content = url[url.index(after: comma)...].utf8
        guard let bytes: Data = PercentEncoding.decode(content, keepsStrayPercents: keepsStrayPercents) else {
            throw .invalidURL("The data: URL has a percent sign without two hexadecimal digits.")
        }
        guard url[colon..<comma].filter({ $0 != " " }).lowercased().hasSuffix(";base64") else { return bytes }
        guard let decoded = Data(base64Encoded: normalise(bytes)) else {
            throw .invalidURL("The data: URL's base64 is damaged.")
        }
        return decoded
    }

    /// Adds missing padding, replaces the URL-safe alphabet (RFC 4648 5), and removes white space.
    private static func normalise(_ base64: Data) -> Data {
        var result = Data(capacity: base64.count + 3)
        for byte in base64 {
            switch byte {
            case UInt8(ascii: "-"): result.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): result.append(UInt8(ascii: "/"))
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            default: result.append(byte)
            }
        }
        while result.count % 4 != 0 { result.append(UInt8(ascii: "=")) }
        return result
    }
}

/// A loader of `data:` URLs (RFC 2397), base64 or percent-encoded.
public struct DataURLLoader: ImageLoading {
    /// Creates a loader.
    public init() {}

    /// Returns whether the URL is a `data:` URL.
    public func canLoad(_ request: ImageRequest) -> Bool { request.url.scheme?.lowercased() == "data" }

    /// Decodes the content.
    ///
    /// - Throws: `ImageError.invalidURL` if it is malformed, `.tooLarge`.
    public func load(_ request: ImageRequest, _ context: LoadContext) async throws(ImageError) -> LoadedData {
        let started = ContinuousClock.now
        let text = request.url.absoluteString
        // A URL can contain megabytes.
        let data = try await WorkerPool.pixels.run { () throws(ImageError) in try DataURL.content(of: text) }
        return try LoadedData(data, from: .data, request, context, started: started)
    }
}
