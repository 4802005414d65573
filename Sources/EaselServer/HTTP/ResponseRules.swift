#if Server
import EaselCore
import EaselFoundation
import EaselServerTiers
import HTTPTypes
import NIOCore

/// The header fields of responses.
struct ResponseRules: Sendable {
    /// The value of `Access-Control-Allow-Origin`; `nil` for no field.
    var allowedOrigin: String? = "*"
    /// Whether a response makes a browser save images instead of showing them, unless the URL says otherwise.
    var savesByDefault = false
    /// Whether responses request client hints.
    var requestsHints = false

    /// Returns the fields of a result that are the same for each whole response.
    func fields(of result: ImageResult, vary: String?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.contentType] = result.mediaType
        fields[.eTag] = result.entityTag
        fields[.acceptRanges] = "bytes"
        fields[.contentLength] = "\(result.body.readableBytes)"
        fields[.vary] = vary
        if result.lifetime.visibility != .nobody { fields[.expires] = DateField.text(result.lifetime.freshUntil) }
        fields[.contentSecurityPolicy] = Self.policy(of: result.mediaType)
        addCommon(to: &fields)
        if requestsHints { fields[.acceptClientHints] = "DPR, Width, Sec-CH-DPR, Sec-CH-Width" }
        return fields
    }

    /// Adds the fields of all responses.
    func addCommon(to fields: inout HTTPFields) {
        fields[.xContentTypeOptions] = "nosniff"
        fields[.accessControlAllowOrigin] = allowedOrigin
        // Without it, a page with cross-origin isolation cannot show the image.
        if allowedOrigin != nil { fields[.crossOriginResourcePolicy] = "cross-origin" }
    }

    /// Returns the value of `Cache-Control` at a time.
    static func cacheControl(of lifetime: ImageResult.Lifetime, now: Date) -> String {
        let seconds = Int(min(max(0, lifetime.freshUntil.timeIntervalSince(now)), 31_536_000))
        switch lifetime.visibility {
        case .nobody: return "no-store"
        case .client: return "private, max-age=\(seconds)"
        case .everyone:
            var text = "public, max-age=\(min(seconds, lifetime.browserSeconds ?? seconds))"
            if lifetime.browserSeconds != nil { text += ", s-maxage=\(seconds)" }
            if lifetime.staleWhileRevalidate > 0 {
                text += ", stale-while-revalidate=\(lifetime.staleWhileRevalidate)"
            }
            if lifetime.isImmutable { text += ", immutable" }
            return text
        }
    }

    /// The policy of a response. No script runs in one, whatever its content, and an SVG loads nothing:
    /// it shows the images that it contains.
    private static func policy(of mediaType: String) -> String {
        let styles = mediaType == "image/svg+xml" ? "style-src 'unsafe-inline'; img-src data:; " : ""
        return "default-src 'none'; \(styles)sandbox"
    }

    /// Returns the value of `Content-Disposition`; `nil` for none.
    func disposition(filename: String?, isAttachment: Bool?, extension suffix: () -> String) -> String? {
        let saves = isAttachment ?? savesByDefault
        guard saves || filename != nil else { return nil }
        let kind = saves ? "attachment" : "inline"
        guard let filename, !filename.isEmpty else { return "\(kind); filename=\"image.\(suffix())\"" }
        let name = "\(filename).\(suffix())"
        // Quotes, backslashes, path separators and control characters would end the value or lead elsewhere.
        let plain = String(
            decoding: name.utf8.map { byte in
                (0x20...0x7E).contains(byte) && !Self.unsafe.contains(byte) ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        guard plain != name else { return "\(kind); filename=\"\(plain)\"" }
        return "\(kind); filename=\"\(plain)\"; filename*=UTF-8''\(Self.percentEncoded(name))"
    }

    private static let unsafe = Array("\"\\/%".utf8)

    /// Returns the text in the form of RFC 8187. Path separators and control characters are replaced.
    private static func percentEncoded(_ text: String) -> String {
        let bytes = text.utf8.map { byte in
            byte < 0x20 || byte == 0x7F || "/\\".utf8.contains(byte) ? UInt8(ascii: "_") : byte
        }
        return PercentEncoding.encode(String(decoding: bytes, as: UTF8.self))
    }
}

extension HTTPField.Name {
    static let acceptClientHints = known("Accept-CH")
    static let densityHint = known("DPR")
    static let newDensityHint = known("Sec-CH-DPR")
    static let widthHint = known("Width")
    static let newWidthHint = known("Sec-CH-Width")
    static let forwardedFor = known("X-Forwarded-For")

    /// Returns a name that is a valid token.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is no field name.") }
        return field
    }
}
#endif
