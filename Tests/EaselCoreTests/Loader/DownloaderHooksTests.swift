import EaselTesting
import Testing
import EaselFoundation
import TestSupport

@testable import EaselCore

private struct Trouble: Error {}

private struct NoDecoder: ImageDecoding {
    let format: ImageFormat

    func header(of data: Data) throws(ImageError) -> ImageHeader { throw .unsupported("") }
    func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage { throw .unsupported("") }
}

@Suite("Downloader: hooks of the configuration (X130, R025)", .timeLimit(.minutes(1)))
struct DownloaderHooksTests {
    private static let url = "http://images.test/a"

    private func fixture(
        _ answer: FakeResponse = .image, _ configure: (inout ImageDownloader.Configuration) -> Void
    ) -> DownloaderFixture {
        let fixture = DownloaderFixture(configure)
        fixture.transport.respond(Self.url, with: answer)
        return fixture
    }

    @Test("the request returned by the request modifier is sent: method, headers, address (X130, B89)")
    func requestModifier() async throws {
        let fixture = fixture {
            $0.requestModifier = { request in
                var request = request
                request.method = "POST"
                request.url += "?signed=1"
                request.headers["X-Token"] = "1"
                return request
            }
        }
        fixture.transport.respond(Self.url + "?signed=1", with: .image)
        _ = try await fixture.load(try DownloaderFixture.request())
        let sent = try #require(fixture.transport.requests.first)
        #expect(sent.method == "POST" && sent.headers["X-Token"] == "1" && sent.headers["Accept"] != nil)
        #expect(fixture.urls == [Self.url + "?signed=1"])
    }

    @Test("credentials set by a request modifier are sent only to the host of its URL (R031)")
    func modifiersCredentials() async throws {
        let fixture = fixture {
            $0.requestModifier = { request in
                var request = request
                request.url = "http://signed.test/a"
                request.headers["Authorization"] = "Bearer 1"
                return request
            }
        }
        fixture.transport.respond("http://signed.test/a", with: .redirect(to: "http://signed.test/b"))
        fixture.transport.respond("http://signed.test/b", with: .redirect(to: Self.url))
        _ = try await fixture.load(try DownloaderFixture.request())
        #expect(fixture.transport.requests.map { $0.headers["Authorization"] } == ["Bearer 1", "Bearer 1", nil])
    }

    @Test(
        "a request modifier refuses by returning nil (X123) or throwing (B89), and nothing is sent")
    func refusedRequest() async throws {
        let modifiers: [(@Sendable (HTTPRequest) async throws -> HTTPRequest?, ImageError.Code)] = [
            ({ _ in nil }, .invalidRequest), ({ _ in throw Trouble() }, .invalidRequest),
            ({ _ in throw ImageError.status(401) }, .status), ({ _ in throw CancellationError() }, .cancelled),
            ({ HTTPRequest(url: "http://a b/", method: $0.method) }, .invalidRequest),
        ]
        for (modifier, code) in modifiers {
            let fixture = fixture { $0.requestModifier = modifier }
            #expect(await fixture.error(of: try DownloaderFixture.request())?.code == code)
            #expect(fixture.urls.isEmpty)
        }
    }

    @Test("a load cancelled during the request modifier sends nothing (B89)")
    func cancelledInModifier() async throws {
        let (entered, gate) = (Gate(), Gate())
        let fixture = fixture {
            $0.requestModifier = { request in
                entered.open()
                // The wait ignores the cancellation.
                await Task { try? await gate.wait() }.value
                return request
            }
        }
        let request = try DownloaderFixture.request()
        let load = Task { await fixture.error(of: request) }
        try await entered.wait()
        load.cancel()
        gate.open()
        #expect(await load.value == .cancelled)
        #expect(fixture.urls.isEmpty)
    }

    @Test("the request modifier is called for each attempt, so that it can renew a token")
    func modifierOfEachAttempt() async throws {
        let calls = Recorder<String>()
        let fixture = fixture {
            $0.requestModifier = { request in
                calls.record(request.url)
                return request
            }
        }
        fixture.transport.respond(Self.url, with: .response(status: 503), .image)
        _ = try await fixture.load(try DownloaderFixture.request { $0.retry = .custom("at once") { _ in .zero } })
        #expect(calls.events == [Self.url, Self.url])
    }

    @Test("the request modifier filters the headers of a URL (S188)")
    func headers() async throws {
        let fixture = fixture {
            $0.requestModifier = { request in
                var request = request
                request.headers["X-URL"] = request.url
                request.headers["User-Agent"] = nil
                return request
            }
        }
        _ = try await fixture.load(try DownloaderFixture.request { $0.http.headers["X-Mine"] = "1" })
        let sent = try #require(fixture.transport.requests.first).headers
        #expect(sent["X-URL"] == Self.url && sent["X-Mine"] == "1" && sent["User-Agent"] == nil)
    }

    @Test("the modified response is checked and read, before status and type are checked (X139)")
    func responseModifier() async throws {
        let fixture = fixture(
            .response(status: 418, headers: ["Content-Type": "text/tea"], body: [.bytes(Data([1, 2]))])
        ) {
            $0.acceptableContentTypes = ["image/*"]
            $0.responseModifier = { response in
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "image/png"], bodyLength: response.bodyLength,
                    body: response.body)
            }
        }
        #expect(try await fixture.load(try DownloaderFixture.request()).data == Data([1, 2]))
    }

    @Test("a response modifier refuses by returning nil (2003, X139) or throwing, and the exchange is dropped")
    func refusedResponse() async throws {
        let modifiers: [@Sendable (HTTPResponse) async throws -> HTTPResponse?] = [
            { _ in nil }, { _ in throw Trouble() },
        ]
        for modifier in modifiers {
            let fixture = fixture { $0.responseModifier = modifier }
            #expect(await fixture.error(of: try DownloaderFixture.request())?.code == .invalidResponse)
            #expect(fixture.transport.exchanges.map(\.ending) == [.dropped])
        }
    }

    @Test("the configuration sets the acceptable statuses, by default 200 to 299 (X119, B80)")
    func statuses() async throws {
        for (accepted, status, passes) in [
            (nil, 200, true), (nil, 299, true), (nil, 300, false), (nil, 404, false), ([404], 404, true),
            ([404], 200, false),
        ] as [(Set<Int>?, Int, Bool)] {
            let fixture = fixture(.response(status: status, body: [.bytes(Data([1]))])) {
                if let accepted { $0.acceptableStatusCodes = accepted }
            }
            let error = await fixture.error(of: try DownloaderFixture.request())
            #expect(error == (passes ? nil : .status(status)))
        }
    }

    @Test(
        "the configuration sets the acceptable content types, by default all (2004, X119)",
        arguments: [
            ("image/png", true), ("IMAGE/PNG; charset=binary", true), ("video/mp4", true), ("text/html", false),
            ("imagex/png", false), ("video/mp42", false), (nil, false),
        ])
    func types(type: String?, passes: Bool) async throws {
        let headers = type.map { HTTPHeaders(dictionaryLiteral: ("Content-Type", $0)) } ?? [:]
        let answer = FakeResponse.response(headers: headers, body: [.bytes(Data([1]))])
        let strict = fixture(answer) { $0.acceptableContentTypes = ["image/*", "video/mp4"] }
        #expect(await strict.error(of: try DownloaderFixture.request())?.code == (passes ? nil : .contentType))
        let lax = fixture(answer) { _ in }
        #expect(await lax.error(of: try DownloaderFixture.request()) == nil)
    }

    @Test("the result of the decryptor is the file (X130)")
    func decryptor() async throws {
        let fixture = fixture(.bytes(Data("aW1hZ2U=".utf8))) { $0.decryptor = { Data(base64Encoded: $0) } }
        #expect(try await fixture.load(try DownloaderFixture.request()).data == Data("image".utf8))
    }

    @Test("a decryptor that returns nil or no bytes, or throws, fails with bad data (1001, X141)")
    func failedDecryptor() async throws {
        let decryptors: [@Sendable (Data) async throws -> Data?] = [
            { _ in nil }, { _ in Data() }, { _ in throw Trouble() },
        ]
        for decryptor in decryptors {
            let fixture = fixture { $0.decryptor = decryptor }
            #expect(await fixture.error(of: try DownloaderFixture.request())?.code == .badData)
        }
    }

    @Test("the Accept header lists the formats of the decoders, the last registered first (X122)")
    func accept() {
        var configuration = ImageDownloader.Configuration()
        configuration.accept(
            CoderRegistry(decoders: [NoDecoder(format: .jpeg), NoDecoder(format: .webp), NoDecoder(format: .jpeg)]))
        #expect(configuration.headers["Accept"] == "image/jpeg,image/webp,image/*;q=0.9,*/*;q=0.8")
    }
}

@Suite("Downloader: hooks of a request (X036)", .timeLimit(.minutes(1)))
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

    @Test("the request's request modifier replaces the downloader's for that request only")
    func requestModifier() async throws {
        fixture.transport.respond(Self.url, with: .image)
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

    @Test("the request's response modifier is called and may refuse (X139)")
    func responseModifier() async throws {
        fixture.transport.respond(Self.url, with: .image)
        let request = try DownloaderFixture.request { $0.http.responseModifier = Identified("never") { _ in nil } }
        #expect(await fixture.error(of: request)?.code == .invalidResponse)
        #expect(await fixture.error(of: try DownloaderFixture.request()) == nil)
    }

    @Test("the request's decryptor replaces the downloader's, and no preview is delivered before it (X142)")
    func decryptor() async throws {
        fixture.transport.respond(Self.url, with: .image)
        let request = try DownloaderFixture.request {
            $0.http.decryptor = Identified("reversed") { Data($0.reversed()) }
        }
        #expect(try await fixture.load(request).data == Data("egami".utf8))
        #expect(try await fixture.load(try DownloaderFixture.request()).data == Data("image!".utf8))
    }
}
