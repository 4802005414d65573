#if SVG
import EaselCore

/// A property or a style sheet of an SVG document.
///
/// librsvg loads the documents and the style sheets that these refer to, out of `data:` URLs too. Only fonts, which it passes
/// over, may be held in them.
struct SVGStyleText {
    /// The text without escapes, line ends and tabs, in which URLs may be hidden.
    private let text: [UInt8]
    /// In lower case, byte for byte.
    private let folded: [UInt8]

    init(_ text: [UInt8]) {
        self.text = Self.unescaped(text)
        folded = self.text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Whether the text refers to no data but that of fonts.
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
    /// How files of WOFF, WOFF 2, OpenType and TrueType begin.
    private static let fonts: [[UInt8]] = [Array("wOFF".utf8), Array("wOF2".utf8), Array("OTTO".utf8), [0, 1, 0, 0]]

    /// The text with escapes of CSS undone, those of characters beyond ASCII as question marks.
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
