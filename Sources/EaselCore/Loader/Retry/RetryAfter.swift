import EaselFoundation

/// How long a server asks to be left alone (RFC 9110 10.2.3).
enum RetryAfter {
    /// The wait that `headers` ask for, never negative; `nil` where they ask for none or in a form that is unknown.
    ///
    /// - Parameter now: for a date from a server that does not send its own: with that a clock that is wrong, here or
    ///   there, does not matter.
    static func delay(_ headers: HTTPHeaders, now: Date) -> Duration? {
        guard let value = headers["Retry-After"] else { return nil }
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(Int(value).map { min($0, longest) } ?? longest)
        }
        guard let date = HTTPDate.parse(value, now: now) else { return nil }
        let reference = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, date.timeIntervalSince(reference)), Double(longest)))
    }

    /// A year: more is as good as never, and would overflow somewhere.
    private static let longest = 365 * 86_400
}
