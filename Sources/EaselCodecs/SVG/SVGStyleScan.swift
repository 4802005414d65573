#if SVG
import EaselCore

extension Span where Element == UInt8 {
    /// Whether no style sheet of an SVG document can have a rule for a width or a height, which would win over the attributes of
    /// the first element. What is written in an unusual way counts as one.
    var hasNoRuleOfSize: Bool {
        var place = 1
        let openers = [UInt8(ascii: "<"), UInt8(ascii: ":"), UInt8(ascii: "-")]
        while let start = firstPlace(of: "style", behind: openers, from: place) {
            place = start + 1
            switch self[start - 1] {
            case UInt8(ascii: "-"):
                // Mostly `font-style`. But for a sheet that stands elsewhere, `xml-stylesheet`.
                if holds("stylesheet", at: start) { return false }
            case UInt8(ascii: "<"):
                guard let end = firstPlace(of: "/style", behind: [UInt8(ascii: "<")], from: start),
                    hasNoRuleOfSize(in: start..<(end - 1))
                else { return false }
                place = end
            default: return false
            }
        }
        return true
    }

    private func hasNoRuleOfSize(in sheet: Range<Int>) -> Bool {
        sheet.allSatisfy { place in
            switch self[place] {
            // Escapes, other sheets, and entities; and elements within.
            case UInt8(ascii: "\\"), UInt8(ascii: "@"), UInt8(ascii: "&"): false
            case UInt8(ascii: "<"): holds("<![CDATA[", at: place)
            // Of others, such as stroke-width, what is asked about is only the end.
            case UInt8(ascii: "w"), UInt8(ascii: "W"):
                self[place - 1] == UInt8(ascii: "-") || !isWord("width", at: place)
            case UInt8(ascii: "h"), UInt8(ascii: "H"):
                self[place - 1] == UInt8(ascii: "-") || !isWord("height", at: place)
            default: true
            }
        }
    }

    /// In any case.
    private func isWord(_ word: StaticString, at place: Int) -> Bool {
        guard word.utf8CodeUnitCount <= count - place else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { self[place + $0] | 0x20 == word.utf8Start[$0] }
    }

    /// Where `word` stands next behind one of these characters.
    private func firstPlace(of word: StaticString, behind characters: [UInt8], from start: Int) -> Int? {
        let first = word.utf8Start.pointee
        return withUnsafeBufferPointer { bytes in
            // The first place that may be, and then the next.
            var place = Swift.max(start, 1)
            while place < bytes.count {
                guard let found = bytes[place...].firstIndex(of: first) else { return nil }
                if characters.contains(bytes[found - 1]), holds(word, at: found) { return found }
                place = found + 1
            }
            return nil
        }
    }
}
#endif
