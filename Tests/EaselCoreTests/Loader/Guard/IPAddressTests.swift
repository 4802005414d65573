import Testing

@testable import EaselCore

@Suite("IP address: what a host of a URL means")
struct IPAddressTests {
    @Test(
        "version 4 in all forms that a resolver takes: one to four parts, decimal, octal, hexadecimal (B90)",
        arguments: [
            "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0X7F.1", "017700000001", "0177.0.0.1",
            "0x7f.0x0.0x0.0x1", "127.0.0.01", "127.0.0.1.", "127.0x1",
        ])
    func loopback(host: String) {
        #expect(IPAddress(host) == IPAddress(v4: 0x7F00_0001))
    }

    @Test(
        "what no resolver takes for an address is a name",
        arguments: [
            "", ".", "images.test", "256.0.0.1", "1.256.1", "1.2.3.256", "1.2.3.4.5", "4294967296", "0x1ffffffff", "08",
            "1..2", "-1", "+1", "1.2.3.-4", "0xg", "1.2.3.4x", "a.1", "127.0.0.1..",
        ])
    func names(host: String) {
        #expect(IPAddress(host) == nil)
    }

    @Test("version 4 at its ends")
    func ends() {
        #expect(IPAddress("0") == IPAddress(v4: 0))
        #expect(IPAddress("0x") == IPAddress(v4: 0))
        #expect(IPAddress("255.255.255.255") == IPAddress(v4: .max))
        #expect(IPAddress("4294967295") == IPAddress(v4: .max))
        #expect(IPAddress("1.16777215") == IPAddress(v4: 0x01FF_FFFF))
        #expect(IPAddress("1.2.65535") == IPAddress(v4: 0x0102_FFFF))
    }

    @Test(
        "version 6 in all forms of RFC 4291 2.2, with brackets and zone",
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
        "malformed ones are none",
        arguments: [
            ":", ":::", "1:2", "::1::", "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::1.2.3", "::1.2.3.4.5", "::256.0.0.1",
            "1:2:3:4:5:6:7::8", "::-1", "::ffff:0x7f.0.0.1:1",
        ])
    func malformed6(host: String) {
        #expect(IPAddress(host) == nil)
    }

    @Test("the bytes of a socket are the same address as its text")
    func bytes() {
        #expect(IPAddress(bytes: [127, 0, 0, 1]) == IPAddress("127.0.0.1"))
        #expect(IPAddress(bytes: Array(repeating: 0, count: 15) + [1]) == IPAddress("::1"))
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test("written down, it can be read again")
    func description() {
        #expect("\(IPAddress(v4: 0x7F00_0001))" == "127.0.0.1")
        #expect("\(IPAddress(v6: 0x2001_0DB8 << 96 | 1))" == "2001:db8:0:0:0:0:0:1")
        for bits: UInt128 in [0, 1, .max, 0xFFFF_7F00_0001] {
            #expect(IPAddress("\(IPAddress(v6: bits))") == IPAddress(v6: bits))
        }
    }
}
