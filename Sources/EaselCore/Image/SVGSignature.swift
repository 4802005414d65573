/// A reader of XML up to its first element, by whose name SVG is recognized.
struct XMLPrologReader {
    /// The number of bytes that are searched. Drawing programs write long comments.
    private static let farthest = 1 << 16

    private var rest: Slice<UnsafeRawBufferPointer>

    /// Returns whether a file with these first bytes is SVG. UTF-16 requires a byte order mark.
    @Sendable
    static func isSVG(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(farthest))
        func isSVG(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
            var reader = XMLPrologReader(rest: text)
            return reader.readNameOfFirstElement() == "svg"
        }
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

    /// Returns the name without its prefix, or `nil` if there is none or the bytes end within it.
    private mutating func readNameOfFirstElement() -> String? {
        while true {
            rest = rest.drop { Self.isSpace($0) }
            if skip("<?") {
                skip(past: "?>")
            } else if skip("<!--") {
                skip(past: "-->")
            } else if skip("<!DOCTYPE") {
                skipDocumentType()
            } else {
                return skip("<") ? readName() : nil
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    private mutating func skip(past text: String) {
        while !rest.isEmpty, !skip(text) { rest.removeFirst() }
    }

    /// Skips to the `>` outside of quotes and of the internal subset.
    private mutating func skipDocumentType() {
        var quote: UInt8?
        var depth = 0
        while let byte = rest.popFirst() {
            switch byte {
            case quote: quote = nil
            case _ where quote != nil: break
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return
            default: break
            }
        }
    }

    private func readName() -> String? {
        let name = rest.prefix(64).prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        guard name.count < 64, name.endIndex < rest.endIndex else { return nil }
        return name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).last
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
