#if Server
import EaselFoundation

/// A page of the keys of a bucket (ListObjectsV2).
struct S3Listing: Hashable {
    var keys: [String]
    /// The position of the next page; `nil` on the last page.
    var continuation: String?

    /// Reads the elements that are needed from the XML of a response.
    init(_ body: Data) {
        keys = Self.elements("Key", in: body)
        let isTruncated = Self.elements("IsTruncated", in: body).first?.lowercased() == "true"
        continuation = isTruncated ? Self.elements("NextContinuationToken", in: body).first : nil
    }

    /// Returns the texts of all elements with a name, which have no attributes and no elements in them.
    static func elements(_ name: String, in body: Data) -> [String] {
        var texts: [String] = []
        let bytes = Array(body)
        let (opening, closing) = (Array("<\(name)>".utf8), Array("</\(name)>".utf8))
        var position = 0
        while let start = bytes.position(of: opening, from: position)?.upperBound,
            let end = bytes.position(of: closing, from: start)
        {
            texts.append(decodingEntities(bytes[start..<end.lowerBound]))
            position = end.upperBound
        }
        return texts
    }

    /// Returns a text with the predefined and numeric entities of XML decoded.
    private static func decodingEntities(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded = ""
        var rest = bytes
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += String(decoding: rest[..<ampersand], as: UTF8.self)
            rest = rest[(ampersand + 1)...]
            guard let end = rest.prefix(10).firstIndex(of: UInt8(ascii: ";")),
                let character = character(named: String(decoding: rest[..<end], as: UTF8.self))
            else {
                decoded += "&"
                continue
            }
            decoded.append(character)
            rest = rest[(end + 1)...]
        }
        return decoded + String(decoding: rest, as: UTF8.self)
    }

    private static func character(named name: String) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = name.hasPrefix("#x")
            guard name.hasPrefix("#") else { return nil }
            let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
            return number.flatMap(Unicode.Scalar.init).map { Character($0) }
        }
    }
}

extension [UInt8] {
    /// Returns the first range of a pattern at or after a position.
    fileprivate func position(of pattern: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = pattern.first, count >= pattern.count else { return nil }
        var position = start
        while let candidate = self[position...].firstIndex(of: first), candidate + pattern.count <= count {
            if self[candidate..<(candidate + pattern.count)].elementsEqual(pattern) {
                return candidate..<(candidate + pattern.count)
            }
            position = candidate + 1
        }
        return nil
    }
}
#endif
