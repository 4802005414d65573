extension IPAddress {
    /// What keeps this address from being one of the public internet, for a person; `nil` for a public one.
    ///
    /// The blocks are those of IANA's special-purpose registries (RFC 6890) that are not globally reachable, and
    /// multicast. An address of version 6 that stands for one of version 4 is judged by that one (B90).
    package var specialPurpose: String? { specialPurpose(translatedBy: []) }

    /// The same where a network reaches version 4 by addresses of version 6 that begin with one of `prefixes`.
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

    /// Whether anybody on the internet may have it.
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
        // 255.255.255.255 with it.
        (0xF000_0000, 4, "a reserved address (RFC 1112)"),
    ]

    private typealias V6Block = (prefix: UInt128, length: Int, purpose: String)

    /// Inside the one block that is given out to the public.
    private static let v6Blocks: [V6Block] = [
        // Teredo (2001::/32), benchmarks and ORCHID lie in it.
        (0x2001 << 112, 23, "an address for protocols (RFC 2928)"),
        (0x2001_0DB8 << 96, 32, "an address for documentation (RFC 3849)"),
        (0x3FFF << 112, 20, "an address for documentation (RFC 9637)"),
    ]

    /// Outside of it, for the text.
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
        // Translated and mapped addresses lie outside of the public block and lead into it.
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
        // Mapped, translated, and the withdrawn form with nothing before it (RFC 4291 2.5.5.1).
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
