#if Server
import EaselCore
import Testing

@testable import EaselServer

struct TrustedProxiesTests {
    private func proxies(_ texts: String...) -> TrustedProxies {
        var proxies = TrustedProxies()
        for text in texts {
            let isValid = proxies.insert(text)
            #expect(isValid)
        }
        return proxies
    }

    @Test func `The header of an unknown peer is ignored`() {
        let proxies = proxies("10.0.0.0/8")
        #expect(proxies.clientAddress(peer: "192.0.2.1", forwardedFor: "198.51.100.7") == "192.0.2.1")
        #expect(TrustedProxies().clientAddress(peer: nil, forwardedFor: "198.51.100.7") == "local")
    }

    @Test func `The client is the last address that is not a proxy's`() {
        let proxies = proxies("10.0.0.0/8", "2001:db8::/32")
        let field = "203.0.113.9, 198.51.100.7, 10.1.2.3"
        #expect(proxies.clientAddress(peer: "10.9.9.9", forwardedFor: field) == "198.51.100.7")
        #expect(proxies.clientAddress(peer: "2001:db8::5", forwardedFor: "198.51.100.7:4711") == "198.51.100.7")
        #expect(proxies.clientAddress(peer: "10.9.9.9", forwardedFor: "spoofed, unknown") == "10.9.9.9")
    }

    @Test func `An address of version 4 is the same in the form of a socket for both versions`() {
        let proxies = proxies("10.0.0.0/8", "::ffff:192.0.2.0/120")
        let client = proxies.clientAddress(peer: "::ffff:10.9.9.9", forwardedFor: "::ffff:198.51.100.7")
        #expect(client == "198.51.100.7")
        #expect(proxies.contains("192.0.2.7"))
        #expect(IPAddress("::ffff:198.51.100.7")?.unmapped == IPAddress("198.51.100.7"))
        #expect(IPAddress("2001:db8::1")?.unmapped == IPAddress("2001:db8::1"))
    }

    @Test func `A Unix socket can be trusted`() {
        #expect(proxies("unix").clientAddress(peer: nil, forwardedFor: "198.51.100.7") == "198.51.100.7")
    }

    @Test(arguments: ["", "example.com", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::1/129"])
    func `Anything but an address or a network is refused`(text: String) {
        var proxies = TrustedProxies()
        let isValid = proxies.insert(text)
        #expect(!isValid)
    }
}
#endif
