/// An address of the internet protocol, as a URL or a socket names it.
package struct IPAddress: Sendable, Hashable {
    /// Which protocol's it is.
    package enum Version: Sendable, Hashable {
        case v4
        case v6
    }

    package let version: Version
    /// The whole address; for version 4 the low 32 bits.
    package let bits: UInt128

    init(v4 bits: UInt32) {
        version = .v4
        self.bits = UInt128(bits)
    }

    init(v6 bits: UInt128) {
        version = .v6
        self.bits = bits
    }

    /// The 4 or 16 bytes of a socket address, the first first.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        version = bytes.count == 4 ? .v4 : .v6
        bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The address that a host of a URL is, in every form that a resolver takes; `nil` for a name.
    ///
    /// Version 4 in one to four parts, each decimal, octal (`0177`) or hexadecimal (`0x7f`), the last one filling what is
    /// left: `127.0.0.1`, `127.1`, `2130706433`, `0x7f000001` are one address (the rules of `inet_aton`, which
    /// getaddrinfo and the URL standard share). Version 6 by RFC 4291 2.2, with or without brackets and zone.
    package init?(_ host: some StringProtocol) {
        var text = host[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        if text.contains(":") {
            let zoneless = text.firstIndex(of: "%").map { text[..<$0] } ?? text
            guard let bits = Self.v6(zoneless) else { return nil }
            self.init(v6: bits)
        } else {
            if text.hasSuffix(".") { text = text.dropLast() }
            guard let bits = Self.v4(text) else { return nil }
            self.init(v4: bits)
        }
    }

    private static func v4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { number($0) }
        guard (1...4).contains(parts.count) else { return nil }
        var bits: UInt64 = 0
        for part in parts.dropLast() {
            guard let part, part < 256 else { return nil }
            bits = bits << 8 | part
        }
        let rest = UInt64(8 * (5 - parts.count))
        guard let last = parts.last ?? nil, last < 1 << rest else { return nil }
        return UInt32(truncatingIfNeeded: bits << rest | last)
    }

    private static func number(_ text: some StringProtocol) -> UInt64? {
        let lower = text.lowercased()
        if lower == "0x" { return 0 }
        if lower.hasPrefix("0x") { return digits(lower.dropFirst(2), radix: 16) }
        if lower.count > 1, lower.hasPrefix("0") { return digits(lower.dropFirst(), radix: 8) }
        return digits(lower[...], radix: 10)
    }

    /// No sign, which `UInt64` would take.
    private static func digits(_ text: Substring, radix: Int) -> UInt64? {
        text.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") } ? UInt64(text, radix: radix) : nil
    }

    private static func v6(_ text: some StringProtocol) -> UInt128? {
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false).map { groups($0) }
        switch halves.count {
        case 1:
            guard let all = halves[0], all.count == 8 else { return nil }
            return bits(all)
        case 2:
            guard let front = halves[0], let back = halves[1], front.count + back.count < 8 else { return nil }
            return bits(front + Array(repeating: 0, count: 8 - front.count - back.count) + back)
        default:
            return nil
        }
    }

    /// Groups of 16 bits; the last two may be written as an address of version 4.
    private static func groups(_ text: some StringProtocol) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard part.split(separator: ".").count == 4, let v4 = v4(part) else { return nil }
                groups += [UInt16(v4 >> 16), UInt16(truncatingIfNeeded: v4)]
            } else {
                guard (1...4).contains(part.utf8.count), let value = digits(part.lowercased()[...], radix: 16) else {
                    return nil
                }
                groups.append(UInt16(value))
            }
        }
        return groups
    }

    private static func bits(_ groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1`, or eight groups in hexadecimal; for a person, and for comparing.
    package var description: String {
        switch version {
        case .v4: (0..<4).reversed().map { String(UInt8(truncatingIfNeeded: bits >> (8 * $0))) }.joined(separator: ".")
        case .v6:
            (0..<8).reversed().map { String(UInt16(truncatingIfNeeded: bits >> (16 * $0)), radix: 16) }
                .joined(separator: ":")
        }
    }
}
