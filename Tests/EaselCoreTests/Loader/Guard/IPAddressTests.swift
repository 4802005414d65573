import Testing

@testable import EaselCore

@Suite("IP address: parsing of hosts")
struct IPAddressTests {
    @Test(
        "IPv4 addresses are parsed in all forms: one to four parts, decimal, octal, hexadecimal (B90)",
        arguments: [
            "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "017700000001", "0177.0.0.1",
            "0x7f.0x0.0x0.0x1", "127.0.0.01", "127.0.0.1.", "127.0x1",
        ])
    func loopback(host: String) {
        #expect(IPAddress(host) == IPAddress(v4: 0x7F00_0001))
    }

    @Test(
        "a host that no resolver accepts as an address is a name",
        arguments: [
            "", ".", "images.test", "256.0.0.1", "1.256.1", "1.2.3.256", "1.2.3.4.5", "4294967296", "0x1ffffffff", "08",
            "1..2", "-1", "+1", "1.2.3.-4", "0xg", "1.2.3.4x", "a.1", "127.0.0.1..",
        ])
    func names(host: String) {
        #expect(IPAddress(host) == nil)
    }

    @Test("the smallest and largest IPv4 addresses are parsed")
    func ends() {
        #expect(IPAddress("0") == IPAddress(v4: 0))
        #expect(IPAddress("255.255.255.255") == IPAddress(v4: .max))
        #expect(IPAddress("4294967295") == IPAddress(v4: .max))
        #expect(IPAddress("1.16777215") == IPAddress(v4: 0x01FF_FFFF))
        #expect(IPAddress("1.2.65535") == IPAddress(v4: 0x0102_FFFF))
    }

    @Test(
        "IPv6 addresses are parsed in all forms of RFC 4291 2.2, with brackets and zone",
        arguments: [
            ("::1", 1), ("[::1]", 1), ("0:0:0:0:0:0:0:1", 1), ("::0001", 1), ("[::1%25lo]", 1), ("::1%lo", 1),
            ("::", 0),
            ("1::", 1 << 112), ("::FFFF:127.0.0.1", 0xFFFF_7F00_0001), ("::ffff:7f00:1", 0xFFFF_7F00_0001),
            ("64:ff9b::8.8.8.8", 0x0064_FF9B << 96 | 0x0808_0808),
            ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008),
        ] as [(String, UInt128)])
    func version6(host: String, bits: UInt128) {
        #expect(IPAddress(host) == IPAddress(v6: bits))
    }

    @Test(
        "malformed IPv6 addresses are rejected",
        arguments: [
            ":", ":::", "1:2", "::1::", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::1.2.3", "::1.2.3.4.5", "::256.0.0.1",
            "1:2:3:4:5:6:7::8", "::-1", "::ffff:0x7f.0.0.1:1",
        ])
    func malformed6(host: String) {
        #expect(IPAddress(host) == nil)
    }

    @Test("the bytes and the text of an address are equal")
    func bytes() {
        #expect(IPAddress(bytes: [127, 0, 0, 1]) == IPAddress("127.0.0.1"))
        #expect(IPAddress(bytes: Array(repeating: 0, count: 15) + [1]) == IPAddress("::1"))
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test("the description of an address can be parsed")
    func description() {
        #expect("\(IPAddress(v4: 0x7F00_0001))" == "127.0.0.1")
        #expect("\(IPAddress(v6: 0x2001_0DB8 << 96 | 1))" == "2001:db8:0:0:0:0:0:1")
        for bits: UInt128 in [0, 1, .max, 0xFFFF_7F00_0001] {
            #expect(IPAddress("\(IPAddress(v6: bits))") == IPAddress(v6: bits))
        }
    }
}

/// The special-purpose registries of IANA for both versions (RFC 6890), as of 2025, and the IPv6 forms that contain an
/// IPv4 address. Each block is tested by its first and last address, and by its neighbours on both sides.
@Suite("IP address: public addresses (B90)")
struct AddressScopeTests {
    @Test(
        "special-purpose IPv4 addresses are not public",
        arguments: [
            ("0.0.0.0", "0.255.255.255", "RFC 791"), ("10.0.0.0", "10.255.255.255", "RFC 1918"),
            ("100.64.0.0", "100.127.255.255", "RFC 6598"), ("127.0.0.0", "127.255.255.255", "RFC 1122"),
            ("169.254.0.0", "169.254.255.255", "RFC 3927"), ("172.16.0.0", "172.31.255.255", "RFC 1918"),
            ("192.0.0.0", "192.0.0.255", "RFC 6890"), ("192.0.2.0", "192.0.2.255", "RFC 5737"),
            ("192.88.99.0", "192.88.99.255", "RFC 7526"), ("192.168.0.0", "192.168.255.255", "RFC 1918"),
            ("198.18.0.0", "198.19.255.255", "RFC 2544"), ("198.51.100.0", "198.51.100.255", "RFC 5737"),
            ("203.0.113.0", "203.0.113.255", "RFC 5737"), ("224.0.0.0", "239.255.255.255", "RFC 5771"),
            ("240.0.0.0", "255.255.255.255", "RFC 1112"),
        ])
    func version4(first: String, last: String, source: String) throws {
        for text in [first, last] {
            let address = try #require(IPAddress(text))
            #expect(address.specialPurpose != nil)
            #expect(address.specialPurpose?.contains(source) == true)
        }
    }

    @Test(
        "IPv4 addresses next to those blocks are public",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0",
            "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255",
            "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255", "8.8.8.8",
        ])
    func public4(text: String) throws {
        #expect(try #require(IPAddress(text)).specialPurpose == nil)
    }

    @Test(
        "special-purpose IPv6 addresses are not public",
        arguments: [
            ("::", "RFC 4291"), ("::1", "RFC 4291"), ("64:ff9b:1::", "RFC 8215"),
            ("64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "RFC 8215"), ("100::", "RFC 6666"),
            ("100::ffff:ffff:ffff:ffff", "RFC 6666"), ("2001::", "RFC 2928"), ("2001:0:4136:e378::", "RFC 2928"),
            ("2001:2::", "RFC 2928"), ("2001:10::", "RFC 2928"), ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "RFC 2928"),
            ("2001:db8::", "RFC 3849"), ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "RFC 3849"), ("3fff::", "RFC 9637"),
            ("3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "RFC 9637"), ("fc00::", "RFC 4193"),
            ("fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "RFC 4193"), ("fe80::1", "RFC 4291"), ("febf::", "RFC 4291"),
            ("fec0::", "RFC 3879"), ("ff02::1", "RFC 4291"), ("5f00::", "RFC 4291"), ("4000::", "RFC 4291"),
            ("1fff::", "RFC 4291"), ("::8.8.8.8", "RFC 4291"), ("::2", "RFC 791"),
        ])
    func version6(text: String, source: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.specialPurpose != nil)
        #expect(address.specialPurpose?.contains(source) == true, "\(address.specialPurpose ?? "")")
    }

    @Test(
        "other IPv6 addresses are public",
        arguments: [
            "2000::", "2001:200::", "2001:db7:ffff::", "2001:db9::", "2606:4700::1111", "2a00:1450:4001::", "3ffe::",
            "3fff:1000::",
        ])
    func public6(text: String) throws {
        #expect(try #require(IPAddress(text)).specialPurpose == nil)
    }

    private static let notations: [(name: String, make: @Sendable (String) -> String)] = [
        ("mapped (RFC 4291)", { "::ffff:\($0)" }),
        ("compatible (RFC 4291)", { "::\($0)" }),
        ("translated (RFC 6052)", { "64:ff9b::\($0)" }),
        ("translated, old form (RFC 2765)", { "::ffff:0:\($0)" }),
        ("ISATAP (RFC 5214)", { "2606:4700:0:0:0:5efe:\($0)" }),
        ("ISATAP, unique (RFC 5214)", { "2606:4700:0:0:200:5efe:\($0)" }),
        ("Teredo (RFC 4380)", { "2001:0:\(AddressScopeTests.hexadecimal($0, inverted: false))::" }),
        ("Teredo, client (RFC 4380)", { "2001:0:808:808:0:0:\(AddressScopeTests.hexadecimal($0, inverted: true))" }),
        ("6to4 (RFC 3056)", { "2002:\(AddressScopeTests.hexadecimal($0, inverted: false))::1" }),
    ]

    @Test("an IPv6 form of a special-purpose IPv4 address is not public", arguments: 0..<9)
    func disguised(index: Int) throws {
        let (name, make) = Self.notations[index]
        for hidden in ["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"]
        {
            let address = try #require(IPAddress(make(hidden)), "\(name) \(hidden)")
            #expect(address.specialPurpose != nil, "\(name) \(hidden)")
        }
    }

    @Test("a routed IPv6 form of a public address is public", arguments: ["::ffff:8.8.8.8", "64:ff9b::8.8.8.8"])
    func disguisedPublic(text: String) throws {
        #expect(try #require(IPAddress(text)).specialPurpose == nil)
    }

    @Test("the description contains the embedded address")
    func text() throws {
        let purpose = try #require(IPAddress("::ffff:127.0.0.1")?.specialPurpose)
        #expect(purpose == "127.0.0.1 in another notation, a loopback address (RFC 1122)")
    }

    private static func hexadecimal(_ text: String, inverted: Bool) -> String {
        let bits = UInt32(truncatingIfNeeded: IPAddress(text)?.bits ?? 0)
        let written = inverted ? ~bits : bits
        return String(written >> 16, radix: 16) + ":" + String(written & 0xFFFF, radix: 16)
    }
}
