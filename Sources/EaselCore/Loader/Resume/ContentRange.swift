/// `Content-Range: bytes 200-999/1000` (RFC 9110 14.4): which part of a file an answer holds.
struct ContentRange: Sendable, Hashable {
    let first: Int
    let last: Int
    /// Bytes of the whole; `nil` where the server does not know.
    let total: Int?

    /// `nil` for what is malformed, contradicts itself, or counts in another unit.
    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        if sides[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(sides[1]), last < total else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
