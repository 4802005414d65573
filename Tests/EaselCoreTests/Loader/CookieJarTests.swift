import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

/// RFC 6265.
@Suite("Cookies (S083)", .timeLimit(.minutes(1)))
struct CookieJarTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func jar(_ fields: String..., from url: String = "http://www.images.test/a/b") throws -> CookieJar {
        var jar = CookieJar()
        for field in fields { jar.store(field, from: try #require(URL(string: url)), now: now) }
        return jar
    }

    private func cookies(_ jar: CookieJar, to url: String, after seconds: Double = 0) throws -> String? {
        jar.field(for: try #require(URL(string: url)), now: now.addingTimeInterval(seconds))
    }

    @Test("a cookie is sent to the host that set it, and to no other (5.4)")
    func hostOnly() throws {
        let jar = try jar("a=1; Path=/", "b=x y=z ; Path=/")
        #expect(try cookies(jar, to: "http://www.images.test/") == "a=1; b=x y=z")
        #expect(try cookies(jar, to: "http://WWW.images.test:8080/c") == "a=1; b=x y=z")
        for other in ["http://images.test/", "http://a.www.images.test/", "http://other.test/"] {
            #expect(try cookies(jar, to: other) == nil)
        }
    }

    @Test("a domain cookie is sent to all subdomains, and a host can set one only for its own domain (5.3)")
    func domains() throws {
        for domain in ["images.test", ".images.test", "IMAGES.test"] {
            let jar = try jar("a=1; Domain=\(domain); Path=/")
            #expect(try cookies(jar, to: "http://images.test/") == "a=1")
            #expect(try cookies(jar, to: "http://b.images.test/") == "a=1")
            #expect(try cookies(jar, to: "http://evilimages.test/") == nil)
        }
        for domain in ["other.test", "test", "a.www.images.test", "ages.test"] {
            #expect(try jar("a=1; Domain=\(domain)").count == 0, "\(domain)")
        }
        #expect(try jar("a=1; Domain=0.0.1", from: "http://127.0.0.1/").count == 0)
        #expect(try jar("a=1; Domain=127.0.0.1", from: "http://127.0.0.1/").count == 1)
    }

    @Test("a cookie is sent to its path and below (5.1.4), the longest path first (5.4)")
    func paths() throws {
        let jar = try jar("root=1; Path=/", "own=2", "deep=3; Path=/a/b", "odd=4; Path=x")
        #expect(try cookies(jar, to: "http://www.images.test/a/b/c") == "deep=3; own=2; odd=4; root=1")
        #expect(try cookies(jar, to: "http://www.images.test/a/bc") == "own=2; odd=4; root=1")
        #expect(try cookies(jar, to: "http://www.images.test/ab") == "root=1")
    }

    @Test("a secure cookie is sent and set only over https (5.4)")
    func secure() throws {
        let jar = try jar("a=1; Secure; Path=/", from: "https://images.test/")
        #expect(try cookies(jar, to: "https://images.test/") == "a=1")
        #expect(try cookies(jar, to: "http://images.test/") == nil)
        #expect(try self.jar("a=1; Secure").count == 0)
    }

    @Test("Max-Age takes precedence over Expires (5.2.2), and an expired cookie is removed (5.3)")
    func expiry() throws {
        let short = try jar("a=1; Path=/; Max-Age=10; Expires=Mon, 07 Nov 1994 08:49:37 GMT")
        #expect(try cookies(short, to: "http://www.images.test/", after: 9) == "a=1")
        #expect(try cookies(short, to: "http://www.images.test/", after: 10) == nil)
        let dated = try jar("a=1; Path=/; Expires=Sun, 06 Nov 1994 08:50:37 GMT")
        #expect(try cookies(dated, to: "http://www.images.test/", after: 59) == "a=1")
        #expect(try cookies(dated, to: "http://www.images.test/", after: 60) == nil)
        for past in ["Max-Age=0", "Max-Age=-5", "Expires=Thu, 01 Jan 1970 00:00:00 GMT"] {
            #expect(try jar("a=1; Path=/", "a=2; Path=/; \(past)").count == 0)
        }
    }

    @Test("a cookie with the same name, domain and path is replaced and keeps its position")
    func replaced() throws {
        let jar = try jar("a=1", "b=2", "a=3")
        #expect(try cookies(jar, to: "http://www.images.test/a/") == "a=3; b=2")
    }

    @Test(
        "a malformed cookie is ignored, and cannot add a header",
        arguments: ["", "=1", "novalue", "a=\r\nX: 1", "a\n=1"])
    func malformed(field: String) throws {
        #expect(try jar(field).count == 0)
    }

    @Test("the number of cookies is limited, and the oldest are removed")
    func bound() throws {
        var jar = CookieJar()
        let url = try #require(URL(string: "http://images.test/"))
        for number in 0..<3200 { jar.store("n\(number)=1; Path=/\(number)", from: url, now: now) }
        #expect(jar.count <= 3000)
        #expect(try cookies(jar, to: "http://images.test/3199") == "n3199=1")
        #expect(try cookies(jar, to: "http://images.test/0") == nil)
        #expect(try self.jar("a=" + String(repeating: "x", count: 5000)).count == 0)
    }

    @Test("only a request that handles cookies stores them during redirects and sends them (S083)")
    func downloader() async throws {
        let fixture = DownloaderFixture()
        let cookie: HTTPHeaders = ["Set-Cookie": "a=1; Path=/", "Location": "/b"]
        fixture.transport.respond("http://images.test/a", with: .response(status: 302, headers: cookie))
        fixture.transport.respond("http://images.test/b", with: .redirect(to: "http://other.test/c"))
        fixture.transport.respond("http://other.test/c", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request { $0.http.handlesCookies = true })
        #expect(fixture.transport.requests.map { $0.headers["Cookie"] } == [nil, "a=1", nil])
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.requests.dropFirst(3).allSatisfy { $0.headers["Cookie"] == nil })
        _ = try await fixture.load(
            try DownloaderFixture.request {
                $0.http.handlesCookies = true
                $0.http.headers["Cookie"] = "own=1"
            })
        #expect(fixture.transport.requests.dropFirst(6).map { $0.headers["Cookie"] } == ["own=1", "own=1", nil])
    }
}
