import EaselTesting
import Testing

@testable import EaselCore

import EaselFoundation

@Suite("Downloader: what one request changes on the way (X036)", .timeLimit(.minutes(1)))
struct RequestHooksTests {
    private static let url = "http://images.test/a"

    private let fixture = DownloaderFixture {
        $0.requestModifier = { request in
            var request = request
            request.headers["X-From"] = "downloader"
            return request
        }
        $0.decryptor = { $0 + Data("!".utf8) }
    }

    @Test("its request modifier takes the place of the downloader's, for this request alone")
    func requestModifier() async throws {
        fixture.transport.respond(Self.url, with: .picture)
        let request = try DownloaderFixture.request {
            $0.http.requestModifier = Identified("signed") { request in
                var request = request
                request.headers["X-Signed"] = "1"
                return request
            }
        }
        _ = try await fixture.load(request)
        _ = try await fixture.load(try DownloaderFixture.request())
        let sent = fixture.transport.requests.map(\.headers)
        #expect(sent.map { $0["X-Signed"] } == ["1", nil])
        #expect(sent.map { $0["X-From"] } == [nil, "downloader"])
    }

    @Test("its response modifier is asked, and may refuse (X139)")
    func responseModifier() async throws {
        fixture.transport.respond(Self.url, with: .picture)
        let request = try DownloaderFixture.request { $0.http.responseModifier = Identified("never") { _ in nil } }
        #expect(await fixture.error(of: request)?.code == "invalidResponse")
        #expect(await fixture.error(of: try DownloaderFixture.request()) == nil)
    }

    @Test("its decryptor takes the place of the downloader's, and no piece is shown before it (X142)")
    func decryptor() async throws {
        fixture.transport.respond(Self.url, with: .picture)
        let request = try DownloaderFixture.request {
            $0.http.decryptor = Identified("reversed") { Data($0.reversed()) }
        }
        #expect(try await fixture.load(request).data == Data("erutcip".utf8))
        #expect(try await fixture.load(try DownloaderFixture.request()).data == Data("picture!".utf8))
    }
}
