import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Downloader: redirects (B85)", .timeLimit(.minutes(1)))
struct RedirectTests {
    private let fixture = DownloaderFixture { $0.maximumRedirects = 3 }

    @Test("are followed", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://other.test/b"))
        fixture.transport.respond("http://other.test/b", with: .picture)
        let loaded = try await fixture.load(try DownloaderFixture.request())
        #expect(loaded.data == Data("picture".utf8))
        #expect(loaded.timeline.requests == 2)
        #expect(fixture.transport.requests.map(\.method) == ["GET", "GET"])
    }

    @Test("other statuses of the 300s are answers, not places to go", arguments: [300, 304, 305, 306])
    func otherStatuses(status: Int) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(status, to: "http://other.test/b"))
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .status(status))
        #expect(fixture.urls.count == 1)
    }

    @Test(
        "to a relative place are resolved against the last address (RFC 3986 5.4)",
        arguments: [
            ("b.png", "http://images.test/x/b.png"), ("/b.png", "http://images.test/b.png"),
            ("../b.png", "http://images.test/b.png"), ("?q=1", "http://images.test/x/a?q=1"),
            ("//other.test/b", "http://other.test/b"), ("b.png#part", "http://images.test/x/b.png"),
            ("HTTP://other.test/b", "HTTP://other.test/b"), ("b c.png", "http://images.test/x/b%20c.png"),
        ])
    func relative(location: String, expected: String) async throws {
        fixture.transport.respond("http://images.test/x/a", with: .redirect(to: location))
        fixture.transport.respond(expected, with: .picture)
        _ = try await fixture.load(try DownloaderFixture.request("http://images.test/x/a"))
        #expect(fixture.urls.last == expected)
    }

    @Test("are followed as often as allowed")
    func atLimit() async throws {
        chain(length: 3)
        let loaded = try await fixture.load(try DownloaderFixture.request("http://images.test/0"))
        #expect(loaded.timeline.requests == 4)
    }

    @Test("one more than allowed is an error")
    func overLimit() async throws {
        chain(length: 4)
        let error = await fixture.error(of: try DownloaderFixture.request("http://images.test/0"))
        #expect(error == .tooManyRedirects(3))
        #expect(fixture.urls.count == 4)
    }

    @Test("a circle ends at the limit")
    func circle() async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .redirect(to: "/a"))
        #expect(await fixture.error(of: try DownloaderFixture.request()) == .tooManyRedirects(3))
        #expect(fixture.urls.count == 4)
    }

    @Test("without a place, or to none that can be, are errors", arguments: [nil, "", "http://", "http:///b", "http:"])
    func noPlace(location: String?) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: location))
        await expectInvalid(containing: nil)
    }

    @Test(
        "to what is not HTTP are not followed",
        arguments: ["file:///etc/passwd", "FILE:///etc/passwd", "data:,a", "ftp://other.test/a", "javascript:alert(1)"])
    func otherSchemes(location: String) async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: location))
        let scheme = try #require(location.split(separator: ":").first).lowercased()
        await expectInvalid(containing: "a \(scheme): address")
    }

    @Test("let go of the body of the answer that redirects")
    func bodyDropped() async throws {
        fixture.transport.respond("http://images.test/a", with: .redirect(to: "/b"))
        fixture.transport.respond("http://images.test/b", with: .picture)
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.exchanges.map(\.ending) == [.dropped, .finished])
    }

    private func chain(length: Int) {
        for step in 0..<length {
            fixture.transport.respond("http://images.test/\(step)", with: .redirect(to: "/\(step + 1)"))
        }
        fixture.transport.respond("http://images.test/\(length)", with: .picture)
    }

    private func expectInvalid(containing words: String?) async {
        let error = await fixture.error(
            of: (try? DownloaderFixture.request()) ?? ImageRequest(URL(fileURLWithPath: "/")))
        guard case .invalidResponse(let text) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.map(text.contains) ?? true)
        #expect(fixture.urls.count == 1)
    }
}
