import EaselTesting
import Testing
import EaselFoundation
import TestSupport

@testable import EaselCore

@Suite("Downloader: redirects (B85)", .timeLimit(.minutes(1)))
struct RedirectTests {
    private let fixture = DownloaderFixture { $0.maximumRedirects = 3 }

    @Test("redirects are followed", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .image)
        let loaded = try await fixture.load(try DownloaderFixture.request())
        #expect(loaded.data == Data("image".utf8))
        #expect(loaded.timeline.requests == 2)
        #expect(fixture.transport.requests.map(\.method) == ["GET", "GET"])
    }

    @Test("a 303 is followed by a GET (RFC 9110 15.4.4)", arguments: [(303, "GET"), (307, "POST")])
    func method(status: Int, expected: String) async throws {
        let fixture = DownloaderFixture {
            $0.requestModifier = { request in
                var request = request
                request.method = "POST"
                return request
            }
        }
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://images.test/b"))
        fixture.transport.respond("http://images.test/b", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.requests.map(\.method) == ["POST", expected])
    }

    @Test("other 3xx statuses are not followed", arguments: [300, 304, 305, 306])
    func otherStatuses(status: Int) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://other.test/b"))
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .status(status))
        #expect(fixture.urls.count == 1)
    }

    @Test(
        "a relative location is resolved against the last URL (RFC 3986 5.4)",
        arguments: [
            ("b.png", "http://images.test/x/b.png"), ("/b.png", "http://images.test/b.png"),
            ("../b.png", "http://images.test/b.png"), ("?q=1", "http://images.test/x/a?q=1"),
            ("//other.test/b", "http://other.test/b"), ("b.png#part", "http://images.test/x/b.png"),
            ("HTTP://other.test/b", "HTTP://other.test/b"), ("b c.png", "http://images.test/x/b%20c.png"),
        ])
    func relative(location: String, expected: String) async throws {
        fixture.transport.respond("http://images.test/x/a", with: .redirect(to: location))
        fixture.transport.respond(expected, with: .image)
        _ = try await fixture.load(try DownloaderFixture.request("http://images.test/x/a"))
        #expect(fixture.urls.last == expected)
    }

    @Test("the maximum number of redirects is followed")
    func atLimit() async throws {
        chain(length: 3)
        let loaded = try await fixture.load(try DownloaderFixture.request("http://images.test/0"))
        #expect(loaded.timeline.requests == 4)
    }

    @Test("one redirect over the maximum is an error")
    func overLimit() async throws {
        chain(length: 4)
        let error = await fixture.error(of: try DownloaderFixture.request("http://images.test/0"))
        #expect(error == .tooManyRedirects(3))
        #expect(fixture.urls.count == 4)
    }

    @Test("a redirect loop ends at the maximum")
    func circle() async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .redirect(to: "/a"))
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .tooManyRedirects(3))
        #expect(fixture.urls.count == 4)
    }

    @Test("a missing or invalid redirect location is an error", arguments: [nil, "", "http://", "http:///b", "http:"])
    func noPlace(location: String?) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: location))
        await expectInvalid(containing: nil)
    }

    @Test(
        "a redirect to another scheme is not followed",
        arguments: ["file:///etc/passwd", "FILE:///etc/passwd", "data:,a", "ftp://other.test/a", "javascript:alert(1)"])
    func otherSchemes(location: String) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: location))
        let scheme = try #require(location.split(separator: ":").first).lowercased()
        await expectInvalid(containing: "a \(scheme): address")
    }

    @Test("the body of a redirect response is dropped")
    func bodyDropped() async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped, .finished])
    }

    private func chain(length: Int) {
        for step in 0..<length {
            fixture.transport.respond("http://images.test/\(step)", with: .redirect(to: "/\(step + 1)"))
        }
        fixture.transport.respond("http://images.test/\(length)", with: .image)
    }

    private func expectInvalid(containing words: String?) async {
        let error = await fixture.error(
            of: (try? DownloaderFixture.request()) ?? ImageRequest(URL(fileURLWithPath: "/")))
        #expect(error?.code == .invalidResponse)
        #expect(words.map { error?.message.contains($0) == true } ?? true)
        #expect(fixture.urls.count == 1)
    }
}

@Suite("Downloader: credentials after redirects (P024, R031, R038, B85)", .timeLimit(.minutes(1)))
struct RedirectCredentialsTests {
    private static let names = ["Authorization", "Cookie", "Proxy-Authorization", "X-User", "Host"]

    @Test(
        "credentials are not sent to another scheme, host or port, in any form (X132)",
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
        "credentials are sent to the same scheme, host and port",
        arguments: [
            "/b", "https://images.test/b", "https://images.test:443/b", "https://IMAGES.test/b",
            "HTTPS://images.test/b",
        ])
    func sameOrigin(location: String) async throws {
        let headers = try await headersAfterRedirects([location])
        for name in Self.names { #expect(headers[name] != nil, "\(name)") }
    }

    @Test("credentials stay removed when a later redirect returns to the first host")
    func thereAndBack() async throws {
        let headers = try await headersAfterRedirects(["https://other.test/b", "https://images.test/c"])
        for name in Self.names { #expect(headers[name] == nil, "\(name)") }
    }

    @Test("the user and password of a URL become a header and are removed from the URL (RFC 7617)")
    func basic() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a?q=1", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request("http://us%40er:pa%3Ass@images.test/a?q=1#part"))
        let sent = try #require(fixture.transport.requests.first)
        #expect(sent.url == "http://images.test/a?q=1")
        #expect(sent.headers["Authorization"] == "Basic " + Data("us@er:pa:ss".utf8).base64EncodedString())
    }

    @Test("the request's Authorization field takes precedence over the URL's user")
    func ownAuthorization() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .image)
        _ = try await fixture.load(
            try DownloaderFixture.request("http://user:secret@images.test/a") {
                $0.http.headers = ["authorization": "Bearer 1"]
            })
        #expect(fixture.transport.requests.first?.headers.all("Authorization") == ["Bearer 1"])
    }

    @Test("the request's credential is sent first and takes precedence over the URL's user (S193, X144)")
    func credential() async throws {
        for (credential, header) in [
            (HTTPCredential.bearer("t0ken"), "Bearer t0ken"),
            (.basic(user: "a", password: "b"), "Basic " + Data("a:b".utf8).base64EncodedString()),
        ] {
            let fixture = DownloaderFixture()
            fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://other.test/b"))
            fixture.transport.respond("http://other.test/b", with: .image)
            _ = try await fixture.load(
                try DownloaderFixture.request("http://user:secret@images.test/a") { $0.http.credential = credential })
            #expect(fixture.transport.requests.map { $0.headers["Authorization"] } == [header, nil])
        }
    }

    @Test("digest credentials and client certificates are passed to the transport for the first host only")
    func transportsCredentials() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .redirect(to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .image)
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

    @Test("the URL's user is not sent to another host, and a user in a redirect location is never sent")
    func basicAfterRedirect() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://mallory:x@other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request("http://user:secret@images.test/a"))
        #expect(fixture.urls.last == "http://other.test/b")
        #expect(fixture.transport.requests.last?.headers["Authorization"] == nil)
    }

    @Test("the request's header fields replace the downloader's in any letter case, and keep duplicates (S137)")
    func defaults() async throws {
        let fixture = DownloaderFixture { $0.headers = ["Accept": "image/*", "User-Agent": "Test"] }
        fixture.transport.respond("http://images.test/a", with: .image)
        _ = try await fixture.load(
            try DownloaderFixture.request { $0.http.headers = ["accept": "image/webp", "ACCEPT": "image/png"] })
        let sent = try #require(fixture.transport.requests.first)
        #expect(sent.headers.all("Accept") == ["image/webp", "image/png"])
        #expect(sent.headers["User-Agent"] == "Test")
    }

    @Test("timeouts and certificate settings apply to every redirect (S143)")
    func settings() async throws {
        let fixture = DownloaderFixture()
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .image)
        let timeouts = HTTPTimeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
        _ = try await fixture.load(
            try DownloaderFixture.request {
                $0.http.timeouts = timeouts
                $0.options = .allowInvalidCertificates
            })
        #expect(fixture.transport.requests.map(\.timeouts) == [timeouts, timeouts])
        #expect(fixture.transport.requests.map(\.allowsInvalidCertificates) == [true, true])
    }

    /// Returns the header fields of the last request of a load that is redirected to each location in turn.
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
        fixture.transport.respond(from.absoluteString, with: .image)
        _ = try await fixture.load(
            try DownloaderFixture.request("https://images.test/a") {
                for name in Self.names { $0.http.headers[name] = "secret" }
                $0.http.headers["X-Other"] = "kept"
                $0.http.identityHeaders = ["x-user"]
            })
        return try #require(fixture.transport.requests.last).headers
    }
}
