/// What a `Range` field asks of a body (RFC 9110 14.2).
enum ByteRange: Equatable {
    /// These bytes: a 206.
    case part(Range<Int>)
    /// Bytes that are not there: a 416.
    case unsatisfiable

    /// `nil` where the field is to be ignored: malformed, of another unit, or of several ranges, which a server need
    /// not serve.
    init?(field: String, length: Int) {
        guard field.lowercased().hasPrefix("bytes=") else { return nil }
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
            .map { $0.filter { $0 != " " } }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else { return nil }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (nil, let suffix?) where ends[0].isEmpty:
            self = suffix > 0 && length > 0 ? .part(max(0, length - suffix)..<length) : .unsatisfiable
        default:
            return nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
