#if Server
package import EaselCore

/// The modern formats that a client names in its `Accept` header. Wildcards name none.
package struct AcceptedFormats: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let webp = AcceptedFormats(rawValue: 1)
    package static let avif = AcceptedFormats(rawValue: 2)
    package static let jxl = AcceptedFormats(rawValue: 4)

    /// Reads the value of an `Accept` header (RFC 9110, section 12.5.1).
    package init(accept: String) {
        self = []
        for range in accept.utf8.prefix(4_096).split(separator: UInt8(ascii: ",")) {
            let parts = range.split(separator: UInt8(ascii: ";")).map(\.token)
            let isRefused = parts.dropFirst().contains { ["q=0", "q=0.", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
            guard let type = parts.first, !isRefused else { continue }
            switch type {
            case "image/webp": insert(.webp)
            case "image/avif": insert(.avif)
            case "image/jxl": insert(.jxl)
            default: break
            }
        }
    }

    package func contains(_ format: ImageFormat) -> Bool {
        switch format {
        case .webp: contains(AcceptedFormats.webp)
        case .avif: contains(AcceptedFormats.avif)
        case .jxl: contains(AcceptedFormats.jxl)
        default: true
        }
    }
}

/// The client hints of a request: `Sec-CH-DPR` and `Sec-CH-Width`, or their names without `Sec-CH-`.
package struct ClientHints: Sendable, Hashable {
    /// The pixels of the display per CSS pixel.
    package var pixelRatio: Double?
    /// The width of the image in pixels of the display.
    package var width: Int?

    /// Reads the values of the two headers. Values that are invalid or out of range are ignored.
    package init(pixelRatio: String? = nil, width: String? = nil) {
        if let text = pixelRatio, let ratio = Double(text), ratio > 0, ratio <= 8 { self.pixelRatio = ratio }
        if let text = width, let width = Int(text), (1...16_384).contains(width) { self.width = width }
    }
}

extension ProcessingOptions {
    /// Returns the options with hints for the width and the pixel ratio that the URL does not have.
    package func applying(_ hints: ClientHints) -> ProcessingOptions {
        var options = self
        if pixelRatio == nil { options.pixelRatio = hints.pixelRatio }
        if width == nil, let width = hints.width {
            options.width = Int((Double(width) / (hints.pixelRatio ?? 1)).rounded())
        }
        return options
    }
}

extension Collection<UInt8> {
    /// The bytes in lower case, without spaces and tabs.
    fileprivate var token: String {
        let bytes = filter { $0 != 0x20 && $0 != 0x09 }.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
#endif
