import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Downloader: whom credentials are sent to (P024, R031, R038, B85)", .timeLimit(.minutes(1)))
struct RedirectCredentialsTests {
    private static let names = ["Authorization", "Cookie", "Proxy-Authorization", "X-User", "Host"]

    @Test(
        "not to another scheme, host or port, however they are written (X132)",
        arguments: [
            "https://other.test/b", "http://images.test/b", "https://images.test:8443/b", "https://images.test:80/b",
            "https://sub.images.test/b", "https://images.test.evil.test/b", "//other.test/b",
            "https://images.test@other.test/b",
        ])
    func otherOrigin(location: String) async throws {
        let headers = try await headersAfterRedirects([location])
        for name in Self.names { #expect(headers[name] == nil, "\(name)") }
        #expect(headers["Accept"] != nil)
        #expect(headers["X-Other"] == "kept")
    }

    @Test(
        "still to the same scheme, host and port",
        arguments: [
            "/b", "https://images.test/b", "https://images.test:443/b", "https://IMAGES.test/b",
            "HTTPS://images.test/b",
        ])
    func sameOrigin(location: String) async throws {
        let headers = try await headersAfterRedirects([location])
        for name in Self.names { #expect(headers[name] != nil, "\(name)") }
    }

    @Test("not any more once they were held back, also where the way leads home again")
    func thereAndBack() async throws {
        let headers = try await headersAfterRedirects(["https://other.test/b", "https://images.test/c"])
        for name in Self.names { #expect(headers[name] == nil, "\(name)") }
    }

    @Test("user and password of the URL become a header, and leave the address (RFC 7617)")
    func basic() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a?q=1", with: .picture)
        _ = try await fixture.load(try DownloaderFixture.request("http://us%40er:pa%3Ass@images.test/a?q=1#part"))
        let sent = try #require(fixture.transport.requests.first)
        #expect(sent.url == "http://images.test/a?q=1")
        #expect(sent.headers["Authorization"] == "Basic " + Data("us@er:pa:ss".utf8).base64EncodedString())
    }

    @Test("the request's own Authorization wins over the URL's user")
    func ownAuthorization() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .picture)
        _ = try await fixture.load(
            try DownloaderFixture.request("http://user:secret@images.test/a") {
                $0.http.headers = ["authorization": "Bearer 1"]
            })
        #expect(fixture.transport.requests.first?.headers.all("Authorization") == ["Bearer 1"])
    }

    @Test("a credential of the request is sent with the first exchange, before the URL's user (S193, X144)")
    func credential() async throws {
        for (credential, header) in [
            (HTTPCredential.bearer("t0ken"), "Bearer t0ken"),
            (.basic(user: "a", password: "b"), "Basic " + Data("a:b".utf8).base64EncodedString()),
        ] {
            let fixture = DownloaderFixture()
            fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://other.test/b"))
            fixture.transport.respond("http://other.test/b", with: .picture)
            _ = try await fixture.load(
                try DownloaderFixture.request("http://user:secret@images.test/a") { $0.http.credential = credential })
            #expect(fixture.transport.requests.map { $0.headers["Authorization"] } == [header, nil])
        }
    }

    @Test("digest, and the client's certificate, are the transport's matter, for the first host alone")
    func transportsCredentials() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .redirect(to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .picture)
        let digest = HTTPCredential.digest(user: "a", password: "b")
        let certificate = HTTPSecurity.ClientCertificate(certificateFile: "/a", keyFile: "/b")
        _ = try await fixture.load(
            try DownloaderFixture.request {
                $0.http.credential = digest
                $0.http.security.clientCertificate = certificate
                $0.http.security.trustedCertificateFile = "/c"
            })
        let sent = fixture.transport.requests
        #expect(sent.map(\.credential) == [digest, digest, nil])
        #expect(sent.map(\.security.clientCertificate) == [certificate, certificate, nil])
        #expect(sent.map(\.security.trustedCertificateFile) == ["/c", "/c", "/c"])
        #expect(sent.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("the URL's user is not sent to another host, and a user in the new address is not sent at all")
    func basicAfterRedirect() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://mallory:x@other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .picture)
        _ = try await fixture.load(try DownloaderFixture.request("http://user:secret@images.test/a"))
        #expect(fixture.urls.last == "http://other.test/b")
        #expect(fixture.transport.requests.last?.headers["Authorization"] == nil)
    }

    @Test("headers of the request replace the downloader's, whatever the case, and keep their duplicates (S137)")
    func defaults() async throws {
        let fixture = DownloaderFixture { $0.headers = ["Accept": "image/*", "User-Agent": "Test"] }
        fixture.transport.respond("http://images.test/a", with: .picture)
        _ = try await fixture.load(
            try DownloaderFixture.request { $0.http.headers = ["accept": "image/webp", "ACCEPT": "image/png"] })
        let sent = try #require(fixture.transport.requests.first)
        #expect(sent.headers.all("Accept") == ["image/webp", "image/png"])
        #expect(sent.headers["User-Agent"] == "Test")
    }

    @Test("timeouts and the word on certificates are passed on, to every hop (S143)")
    func settings() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .picture)
        let timeouts = HTTPTimeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
        _ = try await fixture.load(
            try DownloaderFixture.request {
                $0.http.timeouts = timeouts
                $0.options = .allowInvalidCertificates
            })
        #expect(fixture.transport.requests.map(\.timeouts) == [timeouts, timeouts])
        #expect(fixture.transport.requests.map(\.allowsInvalidCertificates) == [true, true])
    }

    /// The fields of the last request of a load from `https://images.test/a` that is redirected to these places in turn.
    private func headersAfterRedirects(_ locations: [String]) async throws -> HTTPHeaders {
        let fixture = DownloaderFixture()
        var from = try #require(URL(string: "https://images.test/a"))
        for location in locations {
            fixture.transport.respond(from.absoluteString, with: .redirect(to: location))
            let next = try #require(URL(string: location, relativeTo: from)).absoluteURL
            var parts = try #require(URLComponents(url: next, resolvingAgainstBaseURL: true))
            parts.user = nil
            from = try #require(parts.url)
        }
        fixture.transport.respond(from.absoluteString, with: .picture)
        _ = try await fixture.load(
            try DownloaderFixture.request("https://images.test/a") {
                for name in Self.names { $0.http.headers[name] = "secret" }
                $0.http.headers["X-Other"] = "kept"
                $0.http.identityHeaders = ["x-user"]
            })
        return try #require(fixture.transport.requests.last).headers
    }
}
