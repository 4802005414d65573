#if SVG
import EaselCore

/// Finds the sizes of PNGs in the `data:` URLs of a document's text: base64, or percent signs, with white space and character
/// references in between.
struct SVGPictureScan {
    private var offset = 0
    /// How much of the start of a PNG the last characters were, as base64 and as bytes.
    private var base64 = PNGStart(start: "iVBORw0KGgoAAAANSUhEU", byteCount: 32)
    private var bytes = PNGStart(start: "\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR", byteCount: 24)

    /// The size that the next PNG announces; `nil` where there is none.
    mutating func next(in text: Span<UInt8>) -> PixelSize? {
        while let character = nextCharacter(of: text) {
            if base64.take(character), let size = Self.size(inBase64: base64.taken) { return size }
            if bytes.take(character) { return Self.size(in: bytes.taken.suffix(8)) }
        }
        return nil
    }

    /// The next character that is no white space, with its reference or percent sign resolved.
    private mutating func nextCharacter(of text: Span<UInt8>) -> UInt8? {
        while offset < text.count {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "%"): return number(in: text, at: offset, radix: 16, end: nil) ?? byte
            case UInt8(ascii: "&"): return reference(in: text) ?? byte
            default: return byte
            }
        }
        return nil
    }

    /// `&#105;` or `&#x69;`, from behind the first character on.
    private mutating func reference(in text: Span<UInt8>) -> UInt8? {
        guard offset + 1 < text.count, text[offset] == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = text[offset + 1] == UInt8(ascii: "x")
        return number(
            in: text, at: offset + (isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10, end: UInt8(ascii: ";"))
    }

    /// Digits up to `end`, or two where there is none, which are read if they are a byte.
    private mutating func number(in text: Span<UInt8>, at start: Int, radix: Int, end: UInt8?) -> UInt8? {
        var value = 0
        var place = start
        while place < text.count, end != nil || place < start + 2, text[place] != end {
            guard let digit = Character(UnicodeScalar(text[place])).hexDigitValue, digit < radix else { return nil }
            value = value * radix + digit
            guard value < 256 else { return nil }
            place += 1
        }
        guard place > start, end == nil ? place == start + 2 : place < text.count else { return nil }
        offset = end == nil ? place : place + 1
        return UInt8(value)
    }

    /// Of the 12 characters that hold the last byte of the name and the two sides behind it.
    private static func size(inBase64 characters: [UInt8]) -> PixelSize? {
        var bits: [UInt8] = []
        for group in stride(from: 20, to: 32, by: 4) {
            var word = 0
            for character in characters[group..<(group + 4)] {
                guard let value = digit(character) else { return nil }
                word = word << 6 | value
            }
            bits += [
                UInt8(truncatingIfNeeded: word >> 16), UInt8(truncatingIfNeeded: word >> 8),
                UInt8(truncatingIfNeeded: word),
            ]
        }
        return size(in: bits.suffix(8))
    }

    private static func digit(_ character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    private static func size(in bytes: ArraySlice<UInt8>) -> PixelSize? {
        let words = [bytes.prefix(4), bytes.suffix(4)].map { $0.reduce(0) { $0 << 8 | Int($1) } }
        return PixelSize(words[0], words[1])
    }
}

/// Characters that begin like a PNG.
private struct PNGStart {
    /// What they have to begin with: its first character is in it but once, so that nothing is missed.
    private let start: [UInt8]
    /// How many are wanted.
    private let count: Int
    private(set) var taken: [UInt8] = []

    init(start: String, byteCount: Int) {
        self.start = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        count = byteCount
    }

    /// Takes one more. Returns whether all have come.
    mutating func take(_ character: UInt8) -> Bool {
        if taken.isEmpty || taken.count == count {
            guard character == start[0] else {
                if !taken.isEmpty { taken.removeAll(keepingCapacity: true) }
                return false
            }
            taken = [character]
            return false
        }
        guard taken.count >= start.count || character == start[taken.count] else {
            taken.removeAll(keepingCapacity: true)
            if character == start[0] { taken.append(character) }
            return false
        }
        taken.append(character)
        return taken.count == count
    }
}
#endif
