#if Server
/// What a request is answered with, by its conditions and its range (RFC 9110 13 and 14).
enum Representation: Sendable, Hashable {
    /// 200 with the whole body.
    case whole
    /// 206 with these bytes.
    case part(Range<Int>)
    /// 304.
    case notModified
    /// 416.
    case unsatisfiable

    /// - Parameters:
    ///   - entityTag: The strong tag of the body, with quotes.
    ///   - length: The number of bytes of the body.
    init(entityTag: String, length: Int, ifNoneMatch: String?, range: String?, ifRange: String?) {
        if let ifNoneMatch, EntityTagList(ifNoneMatch).contains(entityTag) {
            self = .notModified
            return
        }
        // A condition other than the strong tag, such as a date, does not match: the whole body is always right.
        guard let range, ifRange == nil || ifRange == entityTag else {
            self = .whole
            return
        }
        self = Self.part(of: length, field: range)
    }

    /// Parses a single range of bytes. Other units, several ranges and malformed fields are ignored, as is allowed.
    private static func part(of length: Int, field: String) -> Representation {
        guard field.utf8.count <= 100, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else { return .whole }
        let ends = field[field.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " && $0 != "\t" } }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return .whole }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last?) where first <= last:
            return first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (let first?, nil) where ends[1].isEmpty:
            return first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let count?) where ends[0].isEmpty:
            return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
        default:
            return .whole
        }
    }
}

/// The value of `If-None-Match`: a list of entity tags, or `*`.
struct EntityTagList {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Returns whether a tag is in the list, by weak comparison (RFC 9110 8.8.3.2).
    func contains(_ tag: String) -> Bool {
        // Nearly all clients send the one tag that they received.
        if text == tag { return true }
        guard text.utf8.count <= 4096 else { return false }
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard !rest.isEmpty else { return false }
            if rest.elementsEqual("*".utf8) { return true }
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return false }
            guard let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return false }
            if rest[...end].elementsEqual(tag.utf8) { return true }
            rest = rest[rest.index(after: end)...]
        }
    }
}
#endif
