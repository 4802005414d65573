import EaselFoundation

/// An internet address.
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

    /// Creates an address of 4 or 16 bytes in network order.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        version = bytes.count == 4 ? .v4 : .v6
        bits = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Creates the address in the host of a URL, in every form that resolvers accept; `nil` for a name.
    ///
    /// Version 4 according to `inet_aton`: `127.0.0.1`, `127.1`, `0x7f.1` and `2130706433` are one address. Version 6
    /// according to RFC 4291 2.2, with or without brackets and zone.
    package init?(_ host: some StringProtocol) {
        var text = String(host)
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.contains(":") {
            if let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
            var address = in6_addr()
            guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
            self.init(bytes: withUnsafeBytes(of: address) { Array($0) })
        } else {
            if text.hasSuffix(".") { text.removeLast() }
            var address = in_addr()
            // `inet_aton` ignores what follows white space.
            guard !text.contains(where: \.isWhitespace), inet_aton(text, &address) == 1 else { return nil }
            self.init(v4: UInt32(bigEndian: address.s_addr))
        }
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
    /// multicast. For an address of version 6 with an embedded address of version 4, the embedded one decides.
    package var specialPurpose: String? {
        switch version {
        case .v4: Self.v4Blocks.first { bits >> (32 - $0.length) == UInt128($0.prefix) >> (32 - $0.length) }?.purpose
        case .v6: v6Purpose
        }
    }

    private static let v4Blocks: [(prefix: UInt32, length: Int, purpose: String)] = [
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

    private static let v6Blocks: [(prefix: UInt128, length: Int, purpose: String)] = [
        // Includes Teredo (2001::/32), benchmarks and ORCHID.
        (0x2001 << 112, 23, "an address for protocols (RFC 2928)"),
        (0x2001_0DB8 << 96, 32, "an address for documentation (RFC 3849)"),
        (0x3FFF << 112, 20, "an address for documentation (RFC 9637)"),
        // Outside the public block, 2000::/3, for the text.
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
        let block = Self.v6Blocks.first { bits >> (128 - $0.length) == $0.prefix >> (128 - $0.length) }
        if let block { return block.purpose }
        if let embedded, let purpose = embedded.specialPurpose {
            return "\(embedded) in another notation, \(purpose)"
        }
        // A public address of version 4, outside the public block.
        if isTranslation { return nil }
        return bits >> 125 == 0b001 ? nil : "an address that is not assigned to the public internet (RFC 4291)"
    }

    /// ::ffff:0:0/96 (RFC 4291 2.5.5.2) and 64:ff9b::/96 (RFC 6052).
    private var isTranslation: Bool { [0xFFFF, 0x0064_FF9B << 64].contains(bits >> 32) }

    /// The embedded address of version 4.
    private var embedded: IPAddress? {
        let low = UInt32(truncatingIfNeeded: bits)
        // Mapped, translated, and the withdrawn form with a zero prefix (RFC 4291 2.5.5.1).
        // Another withdrawn form (RFC 2765).
        if isTranslation || bits >> 32 == 0 || bits >> 32 == 0xFFFF_0000 { return IPAddress(v4: low) }
        // 6to4 (RFC 3056).
        if bits >> 112 == 0x2002 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        // ISATAP, under any prefix (RFC 5214 6.1).
        let interface = UInt32(truncatingIfNeeded: bits >> 32)
        if interface == 0x0000_5EFE || interface == 0x0200_5EFE { return IPAddress(v4: low) }
        return nil
    }
}
