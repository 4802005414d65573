import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation
import TestSupport

@Suite("Host guard: allowed hosts (B90)", .timeLimit(.minutes(1)))
struct HostGuardTests {
    @Test(
        "a disabled guard accepts every host without a check", arguments: ["http://127.0.0.1/", "https://localhost/"])
    func off(url: String) throws {
        #expect(try HostGuard().check(try #require(URL(string: url))) == false)
    }

    @Test(
        "an address that is not public is refused in every form, before anything is sent",
        arguments: [
            "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
            "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:a00:1]/", "http://10.0.0.1:8080/a",
            "http://169.254.169.254/latest/meta-data", "http://0/", "http://localhost/", "http://LOCALHOST./",
            "http://a.localhost/", "http://user@127.0.0.1/", "http://127.0.0.1./",
        ])
    func refused(url: String) async throws {
        let fixture = DownloaderFixture { $0.hostGuard = .publicHostsOnly }
        let error = await fixture.error(of: try DownloaderFixture.request(url))
        #expect(error?.code == .forbiddenAddress)
        #expect(fixture.urls.isEmpty)
    }

    @Test("a host name is accepted, and the transport has to check its address (B90)")
    func name() async throws {
        let fixture = DownloaderFixture { $0.hostGuard = .publicHostsOnly }
        fixture.transport.respond("http://images.test/a", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.requests.map(\.requiresPublicAddress) == [true])
    }

    @Test(
        "a redirect is checked like a request, and a refused location is not requested",
        arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let fixture = DownloaderFixture { $0.hostGuard = .publicHostsOnly }
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://[::ffff:127.0.0.1]/b"))
        let error = await fixture.error(of: try DownloaderFixture.request { $0.retry = .exponential(attempts: 5) })
        #expect(error?.code == .forbiddenAddress)
        #expect(fixture.urls == ["http://images.test/a"])
    }

    @Test(
        "an exempt host may have any address, in any form", arguments: ["127.0.0.1", "localhost", "*.lan.test"])
    func exempt(host: String) throws {
        var hostGuard = HostGuard.publicHostsOnly
        hostGuard.exemptHosts = [host]
        let url = host.replacing("*", with: "camera").replacing("127.0.0.1", with: "127.1")
        #expect(try hostGuard.check(try #require(URL(string: "http://\(url)/"))) == false)
        #expect(throws: ImageError.self) { try hostGuard.check(try #require(URL(string: "http://10.0.0.1/"))) }
    }

    @Test(
        "only allowed hosts are accepted",
        arguments: [
            ("images.test", true), ("IMAGES.test.", true), ("sub.images.test", false), ("a.cdn.test", true),
            ("a.b.cdn.test", true), ("cdn.test", false), ("evilcdn.test", false), ("images.test.evil.test", false),
        ])
    func allowed(host: String, passes: Bool) throws {
        var hostGuard = HostGuard()
        hostGuard.allowedHosts = ["images.test", "*.cdn.test"]
        #expect(hostGuard.passes(try #require(URL(string: "http://\(host)/"))) == passes)
    }

    @Test("denied hosts take precedence over allowed ones")
    func denied() throws {
        var hostGuard = HostGuard()
        hostGuard.allowedHosts = ["*.cdn.test"]
        hostGuard.deniedHosts = ["bad.cdn.test", "192.0.2.1"]
        #expect(hostGuard.passes(try #require(URL(string: "http://good.cdn.test/"))))
        #expect(!hostGuard.passes(try #require(URL(string: "http://BAD.cdn.test/"))))
        hostGuard.allowedHosts = nil
        #expect(!hostGuard.passes(try #require(URL(string: "http://0xc0000201/"))))
    }

    @Test("a scheme that is not listed is refused, also in redirects")
    func schemes() async throws {
        let fixture = DownloaderFixture { $0.hostGuard.schemes = ["https"] }
        fixture.transport.respond("https://images.test/a", with: .redirect(to: "http://images.test/b"))
        for url in ["http://images.test/a", "https://images.test/a"] {
            #expect(await fixture.error(of: try DownloaderFixture.request(url))?.code == .forbiddenAddress)
        }
        #expect(fixture.urls == ["https://images.test/a"])
    }
}

extension HostGuard {
    fileprivate func passes(_ url: URL) -> Bool { (try? check(url)) != nil }
}
