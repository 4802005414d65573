/// Tells SVG from other XML, and from web pages: by the name of its first element, after what XML allows before it.
enum SVGSignature {
    /// How far the element is looked for. Drawing programs write long comments, but no books.
    private static let farthest = 1 << 16

    /// Whether the file begins as an SVG does. In UTF-16 it has to have its mark.
    @Sendable
    static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first else { return false }
        switch first {
        case UInt8(ascii: "<"), 9, 10, 13, 32: return matches(bytes, from: 0, step: 1)
        case 0xEF: return bytes.starts(with: [0xEF, 0xBB, 0xBF]) && matches(bytes, from: 3, step: 1)
        // Of two bytes a character the one that says something.
        case 0xFE: return bytes.starts(with: [0xFE, 0xFF]) && matches(bytes, from: 3, step: 2)
        case 0xFF: return bytes.starts(with: [0xFF, 0xFE]) && matches(bytes, from: 2, step: 2)
        default: return false
        }
    }

    private static func matches(_ bytes: UnsafeRawBufferPointer, from start: Int, step: Int) -> Bool {
        var reader = XMLPrologReader(bytes: bytes, position: start, step: step, end: min(bytes.count, farthest))
        return reader.nameOfFirstElement() == "svg"
    }
}

/// Reads XML up to its first element.
private struct XMLPrologReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int
    /// Bytes a character.
    let step: Int
    let end: Int

    /// The name without its prefix; `nil` where there is none, or the bytes end within it.
    mutating func nameOfFirstElement() -> String? {
        while true {
            while let byte = current, byte == 32 || (9...13).contains(byte) { position += step }
            if skip("<?") {
                guard skip(past: "?>") else { return nil }
            } else if skip("<!--") {
                guard skip(past: "-->") else { return nil }
            } else if skip("<!DOCTYPE") {
                guard skipDocumentType() else { return nil }
            } else {
                return skip("<") ? name() : nil
            }
        }
    }

    private var current: UInt8? { position < end ? bytes[position] : nil }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard holds(text) else { return false }
        position += text.utf8CodeUnitCount * step
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        while position < end {
            if skip(text) { return true }
            position += step
        }
        return false
    }

    private func holds(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { characters in
            characters.indices.allSatisfy {
                position + $0 * step < end && bytes[position + $0 * step] == characters[$0]
            }
        }
    }

    /// Up to the `>` that is in no quotes and in no declarations of the document's own.
    private mutating func skipDocumentType() -> Bool {
        var quote: UInt8?
        var depth = 0
        while let byte = current {
            position += step
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    private mutating func name() -> String? {
        var characters: [UInt8] = []
        while let byte = current, characters.count < 64 {
            switch byte {
            case 32, 9...13, UInt8(ascii: ">"), UInt8(ascii: "/"): return String(decoding: characters, as: UTF8.self)
            // What stood before is the prefix.
            case UInt8(ascii: ":"): characters = []
            default: characters.append(byte)
            }
            position += step
        }
        return nil
    }
}
