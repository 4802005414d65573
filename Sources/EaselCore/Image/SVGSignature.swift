/// Recognizes SVG by the name of the first element, after what XML allows before it.
enum SVGSignature {
    /// How many bytes are searched. Drawing programs write long comments.
    private static let farthest = 1 << 16

    /// Returns whether a file with these first bytes is SVG. UTF-16 requires a byte order mark.
    @Sendable
    static func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(farthest))
        switch bytes.first {
        case UInt8(ascii: "<"), 9, 10, 13, 32: return isSVG(bytes[...])
        case 0xEF where bytes.starts(with: [0xEF, 0xBB, 0xBF]): return isSVG(bytes[3...])
        case 0xFE where bytes.starts(with: [0xFE, 0xFF]), 0xFF where bytes.starts(with: [0xFF, 0xFE]):
            // The low byte of each UTF-16 character.
            let low = stride(from: bytes.first == 0xFE ? 3 : 2, to: bytes.count, by: 2).map { bytes[$0] }
            return low.withUnsafeBytes { isSVG($0[...]) }
        default: return false
        }
    }

    private static func isSVG(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        var reader = XMLPrologReader(rest: text)
        return reader.nameOfFirstElement() == "svg"
    }
}

/// A reader of XML up to its first element.
private struct XMLPrologReader {
    var rest: Slice<UnsafeRawBufferPointer>

    /// Returns the name without its prefix, or `nil` if there is none or the bytes end within it.
    mutating func nameOfFirstElement() -> String? {
        while true {
            rest = rest.drop { $0 == 32 || (9...13).contains($0) }
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

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    private mutating func skip(past text: String) -> Bool {
        while !rest.isEmpty {
            if skip(text) { return true }
            rest.removeFirst()
        }
        return false
    }

    /// Skips to the `>` outside of quotes and of the internal subset.
    private mutating func skipDocumentType() -> Bool {
        var quote: UInt8?
        var depth = 0
        while let byte = rest.popFirst() {
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

    private func name() -> String? {
        let name = rest.prefix(64).prefix { !($0 == 32 || (9...13).contains($0) || $0 == 0x3E || $0 == 0x2F) }
        guard name.count < 64, name.endIndex < rest.endIndex else { return nil }
        return name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
