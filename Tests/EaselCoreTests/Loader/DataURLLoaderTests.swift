import Testing

@testable import EaselCore

import EaselFoundation

@Suite("data: URLs (RFC 2397)")
struct DataURLLoaderTests {
    @Test(
        "the data of the URL is decoded",
        arguments: [
            ("data:,hello", "hello"), ("data:text/plain,a%20b%2Cc", "a b,c"), ("data:;base64,aGVsbG8=", "hello"),
            ("data:image/png;base64,aGVsbG8=", "hello"), ("data:image/png;charset=x;BASE64,aGVsbG8=", "hello"),
            ("DATA:,hello", "hello"), ("data:,", ""), ("data:;base64,", ""), ("data:,a,b,c", "a,b,c"),
            ("data:image/svg+xml;utf8,<svg/>", "<svg/>"),
        ])
    func contents(url: String, expected: String) throws {
        #expect(try decode(url) == Data(expected.utf8))
    }

    @Test(
        "base64 may lack padding, be percent-encoded, contain line breaks, or use the URL-safe alphabet",
        arguments: ["-_-_", "+/+/", "%2B%2F%2B%2F", "+/%0A+/", "%20+/+/%0D%0A"])
    func variants(base64: String) throws {
        #expect(try decode("data:;base64,\(base64)") == Data([0xFB, 0xFF, 0xBF]))
        #expect(try decode("data:;base64,aGVs%0AbG8") == Data("hello".utf8))
    }

    @Test(
        "a malformed data URL is invalid (B91)",
        arguments: [
            "data:", "data:image/png;base64", "data:,%4", "data:,%", "data:,%zz", "data:;base64,a",
            "data:;base64,aGVsb*8=",
        ])
    func damaged(url: String) {
        #expect {
            try decode(url)
        } throws: { error in
            (error as? ImageError)?.code == .invalidURL
        }
    }

    @Test("the limit applies to the decoded size")
    func limit() async throws {
        let plain = "data:,0123456789"
        let escaped = "data:," + String(repeating: "%41", count: 10)
        let base64 = "data:;base64,MDEyMzQ1Njc4OQ=="
        for url in [plain, escaped, base64] {
            var request = ImageRequest(try #require(URL(string: url)))
            request.limits.bytes = 10
            #expect(try await DataURLLoader().load(request, LoadContext()).data.count == 10)
            request.limits.bytes = 9
            await #expect(throws: ImageError.tooLarge(.bytes(10, limit: 9))) {
                try await DataURLLoader().load(request, LoadContext())
            }
        }
    }

    @Test("a load reports its progress once and has its own source", arguments: ["data:,hello", "DATA:,hello"])
    func load(url: String) async throws {
        let request = ImageRequest(try #require(URL(string: url)))
        let recorder = LoadRecorder()
        #expect(DataURLLoader().canLoad(request))
        let loaded = try await DataURLLoader().load(request, recorder.context)
        #expect(loaded.data == Data("hello".utf8))
        #expect(loaded.source == .data)
        #expect(recorder.progress == [LoadProgress(received: 5, expected: 5)])
    }

    @Test("other schemes are not accepted", arguments: ["http://images.test/data:,a", "file:///data", "database:,a"])
    func otherSchemes(url: String) throws {
        #expect(!DataURLLoader().canLoad(ImageRequest(try #require(URL(string: url)))))
    }

    private func decode(_ url: String) throws(ImageError) -> Data { try DataURL.content(of: url) }
}
