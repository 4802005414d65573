#if SVG
import CEaselSVG
import EaselCore
import EaselFoundation

/// A check of the images in `data:` URLs before librsvg decodes them.
///
/// A few bytes can announce gigabytes of pixels, and the decoders of librsvg have no limit. All images together share
/// the pixel limit of one image. Embedded documents are checked recursively.
struct SVGEmbeddedImages {
    private let limit: Int
    private var pixelsLeft: Int
    private var depth = 0
    /// The text of the current style sheet.
    private var style: [UInt8] = []
    private var error: ImageError?

    /// Creates a check with at most `limit` pixels in total.
    init(limit: Int) {
        self.limit = limit
        pixelsLeft = limit
    }

    /// Parses the document and checks each image.
    ///
    /// - Throws: `ImageError.tooLarge` with the size of the first image beyond the limit; `.badData` for a document
    ///   that is not well formed, and for embedded data that is not an image.
    /// - Complexity: O(n) in the length of the document after entity expansion.
    mutating func check(_ document: UnsafeBufferPointer<UInt8>) throws(ImageError) {
        let isWellFormed = withUnsafeMutablePointer(to: &self) { images in
            easel_svg_visit_references(
                document.baseAddress, document.count,
                { context, kind, text, count in
                    guard let context else { return false }
                    let images = context.assumingMemoryBound(to: SVGEmbeddedImages.self)
                    return images.pointee.allow(UnsafeBufferPointer(start: text, count: count), kind)
                }, images)
        }
        if let error { throw error }
        guard isWellFormed else {
            throw .badData("The SVG is damaged, cut off, or grows beyond what is allowed.")
        }
    }

    private mutating func allow(_ text: UnsafeBufferPointer<UInt8>, _ kind: easel_svg_text) -> Bool {
        do throws(ImageError) {
            if kind == EASEL_SVG_REFERENCE {
                if let data = try Self.data(text), !data.isEmpty { try judge(data) }
            } else if text.isEmpty {
                let sheet = SVGStyleText(style)
                style = []
                guard sheet.isHarmless else { throw .badData("The SVG holds data in its styles that is no font.") }
            } else {
                style += text
            }
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private mutating func judge(_ data: Data) throws(ImageError) {
        if data.withUnsafeBytes(ImageFormat.svg.matches) {
            guard depth < Self.deepest else {
                throw .badData("The SVG holds documents more than \(Self.deepest) levels deep.")
            }
            // An embedded document can be inside a style sheet.
            let outer = style
            (style, depth) = ([], depth + 1)
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in try check(bytes) }
            (style, depth) = (outer, depth - 1)
            return
        }
        guard let decoder = Self.decoders.first(where: { data.withUnsafeBytes($0.format.matches) }) else {
            throw .badData("The SVG holds data that is no image in PNG, JPEG, GIF, WebP, BMP or SVG.")
        }
        let size = try decoder.header(of: data).storedSize
        guard let area = size.area, area <= pixelsLeft else { throw .tooLarge(.pixels(size, limit: limit)) }
        pixelsLeft -= area
    }

    private static let deepest = 3
    private static let decoders: [any ImageDecoding] = [
        PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder(), BMPCoder(),
    ]

    /// Returns the content of a `data:` URL, parsed according to the URL Standard; `nil` for any other reference.
    ///
    /// - Throws: `ImageError.badData` for an invalid one, since librsvg may still accept it.
    static func data(_ reference: some Collection<UInt8>) throws(ImageError) -> Data? {
        // A URL excludes leading control characters, all line ends and tabs, and the fragment.
        let url = reference.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "#") }
            .filter { ![0x09, 0x0A, 0x0D].contains($0) }
        let scheme = "data:"
        guard String(decoding: url.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else { return nil }
        do throws(ImageError) {
            return try DataURL.content(of: String(decoding: url, as: UTF8.self), keepsStrayPercents: true)
        } catch {
            throw .badData("The SVG holds a data: URL that is damaged.")
        }
    }
}

/// A property or a style sheet of an SVG document.
///
/// librsvg loads referenced documents and style sheets, even from `data:` URLs. Only fonts, which it ignores, are
/// allowed.
struct SVGStyleText {
    /// The text without escapes, line ends and tabs, which can hide URLs.
    private let text: [UInt8]
    /// The text in lower case, with the same byte offsets.
    private let folded: [UInt8]

    init(_ text: [UInt8]) {
        self.text = Self.unescaped(text)
        folded = self.text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether the text refers to no data except fonts.
    var isHarmless: Bool {
        guard folded.contains(Self.scheme) else { return true }
        return !folded.contains(Self.importing) && holdsOnlyFonts
    }

    private var holdsOnlyFonts: Bool {
        var place = 0
        while let function = folded[place...].firstRange(of: Self.function) {
            let url = text[function.upperBound...].drop { $0 <= 0x20 || Self.quotes.contains($0) }
            place = url.startIndex
            guard folded[place...].starts(with: Self.scheme) else { continue }
            let font = url.prefix { $0 != UInt8(ascii: ")") && !Self.quotes.contains($0) }
            guard let data = try? SVGEmbeddedImages.data(font), Self.fonts.contains(where: { data.starts(with: $0) })
            else { return false }
            place = font.endIndex
        }
        return true
    }

    private static let scheme = Array("data:".utf8)
    private static let importing = Array("@import".utf8)
    private static let function = Array("url(".utf8)
    private static let quotes = Array("\"'".utf8)
    /// The signatures of WOFF, WOFF 2, OpenType and TrueType.
    private static let fonts: [[UInt8]] = [Array("wOFF".utf8), Array("wOF2".utf8), Array("OTTO".utf8), [0, 1, 0, 0]]

    /// Returns the text with CSS escapes resolved. Characters beyond ASCII become question marks.
    private static func unescaped(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var rest = text.filter { ![0x09, 0x0A, 0x0D].contains($0) }[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                continue
            }
            let digits = rest.prefix(6).prefix { Character(Unicode.Scalar($0)).isHexDigit }
            guard !digits.isEmpty else {
                if let escaped = rest.popFirst() { result.append(escaped) }
                continue
            }
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            result.append(value < 0x80 ? UInt8(value) : UInt8(ascii: "?"))
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        }
        return result
    }
}
#endif
