/// An internet address, as in a URL or a socket address.
package struct IPAddress: Sendable, Hashable {
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

    /// The 4 or 16 bytes of a socket address, in network order.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        version = bytes.count == 4 ? .v4 : .v6
        bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// The address in a URL's host, in every form that a resolver accepts; `nil` for a name.
    ///
    /// Version 4 by the rules of `inet_aton`, which getaddrinfo and the URL standard share: one to four parts, each
    /// decimal, octal (`0177`) or hexadecimal (`0x7f`), the last one filling the rest. `127.0.0.1`, `127.1` and
    /// `2130706433` are one address. Version 6 by RFC 4291 2.2, with or without brackets and zone.
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

    /// Rejects a sign, which `UInt64` accepts.
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
    /// `192.0.2.1`, or eight groups in hexadecimal.
    package var description: String {
        switch version {
        case .v4: (0..<4).reversed().map { String(UInt8(truncatingIfNeeded: bits >> (8 * $0))) }.joined(separator: ".")
        case .v6:
            (0..<8).reversed().map { String(UInt16(truncatingIfNeeded: bits >> (16 * $0)), radix: 16) }
                .joined(separator: ":")
        }
    }
}

extension IPAddress {
    /// The purpose of an address outside the public internet, for an error message; `nil` for a public one.
    ///
    /// The blocks are those of IANA's special-purpose registries (RFC 6890) that are not globally reachable, and
    /// multicast. An address of version 6 that stands for one of version 4 is judged by that one.
    package var specialPurpose: String? { specialPurpose(translatedBy: []) }

    /// The same in a network whose NAT64 has one of `prefixes`.
    package func specialPurpose(translatedBy prefixes: Set<TranslationPrefix>) -> String? {
        let hidden = prefixes.compactMap { $0.address(in: self) }
        if let refused = hidden.first(where: { !$0.isPublic }), let purpose = refused.specialPurpose {
            return "\(refused) in disguise, \(purpose)"
        }
        if !hidden.isEmpty { return nil }
        return switch version {
        case .v4: Self.v4Blocks.first { bits >> (32 - $0.length) == UInt128($0.prefix) >> (32 - $0.length) }?.purpose
        case .v6: v6Purpose
        }
    }

    package var isPublic: Bool { specialPurpose == nil }

    private typealias V4Block = (prefix: UInt32, length: Int, purpose: String)

    private static let v4Blocks: [V4Block] = [
        (0x0000_0000, 8, "an address of this network (RFC 791)"),
        (0x0A00_0000, 8, "a private address (RFC 1918)"),
        (0x6440_0000, 10, "an address of a carrier's NAT (RFC 6598)"),
        (0x7F00_0000, 8, "a loopback address (RFC 1122)"),
        (0xA9FE_0000, 16, "a link-local address (RFC 3927)"),
        (0xAC10_0000, 12, "a private address (RFC 1918)"),
        (0xC000_0000, 24, "an address for protocols (RFC 6890)"),
        (0xC000_0200, 24, "an address for documentation (RFC 5737)"),
        (0xC058_6300, 24, "a withdrawn relay address (RFC 7526)"),
        (0xC0A8_0000, 16, "a private address (RFC 1918)"),
        (0xC612_0000, 15, "an address for benchmarks (RFC 2544)"),
        (0xC633_6400, 24, "an address for documentation (RFC 5737)"),
        (0xCB00_7100, 24, "an address for documentation (RFC 5737)"),
        (0xE000_0000, 4, "a multicast address (RFC 5771)"),
        (0xF000_0000, 4, "a reserved address (RFC 1112)"),
    ]

    private typealias V6Block = (prefix: UInt128, length: Int, purpose: String)

    /// Inside the public block, 2000::/3.
    private static let v6Blocks: [V6Block] = [
        // Includes Teredo (2001::/32), benchmarks and ORCHID.
        (0x2001 << 112, 23, "an address for protocols (RFC 2928)"),
        (0x2001_0DB8 << 96, 32, "an address for documentation (RFC 3849)"),
        (0x3FFF << 112, 20, "an address for documentation (RFC 9637)"),
    ]

    /// Outside the public block, for the text.
    private static let v6Names: [V6Block] = [
        (0, 128, "the unspecified address (RFC 4291)"),
        (1, 128, "the loopback address (RFC 4291)"),
        (0x0064_FF9B_0001 << 80, 48, "an address for local translation (RFC 8215)"),
        (0x0100 << 112, 64, "an address that discards (RFC 6666)"),
        (0xFC00 << 112, 7, "a private address (RFC 4193)"),
        (0xFE80 << 112, 10, "a link-local address (RFC 4291)"),
        (0xFEC0 << 112, 10, "a withdrawn private address (RFC 3879)"),
        (0xFF00 << 112, 8, "a multicast address (RFC 4291)"),
    ]

    private var v6Purpose: String? {
        if let purpose = Self.v6Names.first(where: isIn)?.purpose { return purpose }
        if let embedded, let purpose = embedded.specialPurpose { return "\(embedded) in disguise, \(purpose)" }
        // These lie outside the public block and lead into it.
        if isTranslation { return nil }
        guard bits >> 125 == 0b001 else { return "an address that is not given out to the public (RFC 4291)" }
        return Self.v6Blocks.first(where: isIn)?.purpose
    }

    private func isIn(_ block: V6Block) -> Bool {
        bits >> (128 - block.length) == block.prefix >> (128 - block.length)
    }

    /// ::ffff:0:0/96 (RFC 4291 2.5.5.2) and 64:ff9b::/96 (RFC 6052).
    private var isTranslation: Bool { [0xFFFF, 0x0064_FF9B << 64].contains(bits >> 32) }

    /// The address of version 4 that this one stands for.
    private var embedded: IPAddress? {
        let low = UInt32(truncatingIfNeeded: bits)
        // Mapped, translated, and the withdrawn form with a zero prefix (RFC 4291 2.5.5.1).
        if isTranslation || bits >> 32 == 0 { return IPAddress(v4: low) }
        // Another withdrawn form (RFC 2765).
        if bits >> 32 == 0xFFFF_0000 { return IPAddress(v4: low) }
        // 6to4 (RFC 3056).
        if bits >> 112 == 0x2002 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        // ISATAP, under any prefix (RFC 5214 6.1).
        let interface = UInt32(truncatingIfNeeded: bits >> 32)
        if interface == 0x0000_5EFE || interface == 0x0200_5EFE { return IPAddress(v4: low) }
        return nil
    }
}

/// The prefix by which a NAT64 turns an address of version 4 into one of version 6 (RFC 6052 2.2).
public struct TranslationPrefix: Sendable, Hashable {
    private let bits: UInt128
    private let length: Int

    /// A prefix such as `2001:db8:64::/96`; `nil` if malformed. Lengths are 32, 40, 48, 56, 64 and 96.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let length = Int(parts[1]), [32, 40, 48, 56, 64, 96].contains(length),
            let address = IPAddress(parts[0]), address.version == .v6
        else { return nil }
        self.length = length
        bits = address.bits >> (128 - length)
    }

    /// The address of version 4 in `address`; `nil` if that has another prefix.
    func address(in address: IPAddress) -> IPAddress? {
        guard address.version == .v6, address.bits >> (128 - length) == bits else { return nil }
        let low = (address.bits << length) >> length
        if length == 96 { return IPAddress(v4: UInt32(truncatingIfNeeded: low)) }
        // The octet of the bits 64 to 71 is not part of it.
        let before = low >> 64
        let behind = (low << 72) >> 72
        let count = 64 - length
        let hidden = (before << (32 - count)) | (behind >> (24 + count))
        return IPAddress(v4: UInt32(truncatingIfNeeded: hidden))
    }
}
