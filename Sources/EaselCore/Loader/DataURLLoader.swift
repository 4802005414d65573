#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        guard let comma = url.firstIndex(of: ","), let colon = url.firstIndex(of: ":"), colon < comma else {
            throw .invalidURL("A data: URL needs a comma before its content.")
        }
        let isBase64 = url[colon..<comma].lowercased().hasSuffix(";base64")
        guard var bytes = unescaped(url[url.index(after: comma)...].utf8) else {
            throw .invalidURL("The data: URL has a percent sign without two hexadecimal digits.")
        }
        if isBase64 {
            guard let decoded = Data(base64Encoded: normalised(bytes)) else {
                throw .invalidURL("The data: URL's base64 is damaged.")
            }
            bytes = decoded
        }
        guard bytes.count <= limit else { throw .tooLarge(.bytes(bytes.count, limit: limit)) }
        return bytes
    }

    /// Percent escapes undone; `nil` for a broken one.
    static func unescaped(_ text: Substring.UTF8View) -> Data? {
        var bytes = Data(capacity: text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init)
    }

    /// Many writers leave the padding off, take the URL-safe alphabet (RFC 4648 5), or break lines.
    private static func normalised(_ base64: Data) -> Data {
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
