#if Server
import EaselCore

/// The sources that images may come from.
public struct AllowedSources: Sendable, Hashable {
    /// `nil` allows all.
    private let patterns: [Pattern]?

    private init(_ patterns: [Pattern]?) { self.patterns = patterns }

    /// Every source. Only the signature and the loader's own checks limit them.
    public static let any = AllowedSources(nil)

    /// The sources that begin with one of these texts, such as `https://cdn.example.com/`, `s3://bucket/folder/` and
    /// `local://`.
    ///
    /// A `*` stands for any characters except `/`; in the host only for those that a host name has. A text without a
    /// path allows exactly this host: `https://example.com` does not allow `https://example.com.invalid/`. A source
    /// with `.` or `..` in its path is not allowed.
    public static func allowing(_ prefixes: [String]) -> AllowedSources { AllowedSources(prefixes.map(Pattern.init)) }

    /// Returns whether a source may be used.
    func allows(_ source: String) -> Bool {
        guard let patterns else { return true }
        let parts = SourceParts(source)
        guard !parts.hasDotSegment else { return false }
        return patterns.contains { $0.matches(parts) }
    }
}

/// A source split into the parts that are compared.
struct SourceParts: Sendable, Hashable {
    /// The scheme in lower case, without `://`.
    let scheme: [UInt8]
    /// The user, host and port, in lower case.
    let authority: [UInt8]
    /// The rest, from its slash on; empty if there is none.
    let path: [UInt8]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let separator = Array("://".utf8)
        let colon = bytes.indices.first { bytes[$0...].starts(with: separator) }
        scheme = bytes[..<(colon ?? 0)].map(\.lowercased)
        let rest = colon.map { bytes[($0 + 3)...] } ?? bytes[...]
        // A backslash and a control character end a host in some parsers.
        let end = rest.firstIndex { [0x2F, 0x3F, 0x23, 0x5C].contains($0) || $0 <= 0x20 } ?? rest.endIndex
        authority = rest[..<end].map(\.lowercased)
        path = Array(rest[end...])
    }

    /// Whether a part of the path, decoded, is `.` or `..`, or is encoded more than five times.
    var hasDotSegment: Bool {
        let ends: [UInt8] = [0x3F, 0x23]
        let path = path[..<(path.firstIndex { ends.contains($0) } ?? path.endIndex)]
        return path.split { $0 == 0x2F || $0 == 0x5C }.contains { part in
            // Servers may decode more than once.
            var (part, rounds) = (part, 0)
            while let decoded: [UInt8] = PercentEncoding.decode(part), decoded.count < part.count {
                if rounds == 5 { return true }
                part = decoded[...]
                rounds += 1
            }
            return part.split { $0 == 0x2F || $0 == 0x5C }.contains { [[0x2E], [0x2E, 0x2E]].contains(Array($0)) }
        }
    }
}

/// The beginning of allowed sources.
private struct Pattern: Sendable, Hashable {
    private let parts: SourceParts

    init(_ text: String) { parts = SourceParts(text) }

    func matches(_ source: SourceParts) -> Bool {
        guard parts.scheme == source.scheme else { return false }
        // `local://` and `s3://` name no host: everything under the scheme is allowed.
        if parts.authority.isEmpty && parts.path.isEmpty { return true }
        let isHost = { (byte: UInt8) in byte != UInt8(ascii: "@") && byte != UInt8(ascii: ":") }
        guard Self.matches(parts.authority[...], source.authority[...], isWhole: true, isHost) else { return false }
        return Self.matches(parts.path[...], source.path[...], isWhole: false) { $0 != UInt8(ascii: "/") }
    }

    /// Compares bytes with a pattern, in time proportional to the product of their lengths.
    ///
    /// - Parameters:
    ///   - isWhole: whether the pattern has to reach the end of the text.
    ///   - isWild: returns whether a `*` can stand for a byte.
    private static func matches(
        _ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, isWhole: Bool, _ isWild: (UInt8) -> Bool
    ) -> Bool {
        let text = Array(text)
        // Whether the pattern so far can end at each position of the text.
        var canEnd = [Bool](repeating: false, count: text.count + 1)
        canEnd[0] = true
        for byte in pattern {
            if byte == UInt8(ascii: "*") {
                for index in text.indices where canEnd[index] && isWild(text[index]) { canEnd[index + 1] = true }
            } else {
                for index in text.indices.reversed() { canEnd[index + 1] = canEnd[index] && text[index] == byte }
                canEnd[0] = false
            }
        }
        return isWhole ? canEnd[text.count] : canEnd.contains(true)
    }
}

extension UInt8 {
    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self
    }
}
#endif
