#if Server
import EaselCore
import EaselFoundation
import EaselServerURLs
import Testing

@Suite("Server URLs: sources")
struct ImageURLTests {
    private func url(_ path: String) throws -> ImageURL {
        try ImageURL(rawPath: "/unsafe" + path, rules: Paths.unsigned)
    }

    private func error(_ path: String) -> ImageURLError? {
        do {
            _ = try url(path)
            return nil
        } catch {
            return error as? ImageURLError
        }
    }

    @Test(
        "a source is plain or base 64, and a format can follow",
        arguments: [
            ("/plain/https://example.com/images/curiosity.jpg", nil),
            ("/plain/https://example.com/images/curiosity.jpg@png", "png"),
            ("/plain/https://example.com/images/curiosity.jpg@", nil),
            ("/plain/https%3A%2F%2Fexample.com%2Fimages%2Fcuriosity.jpg@webp", "webp"),
            ("/\(Paths.base64)", nil), ("/\(Paths.base64).avif", "avif"), ("/\(Paths.base64)==.gif", "gif"),
            ("/aHR0cHM6Ly9leGFtcGxl/LmNvbS9pbWFnZXMvY3Vy/aW9zaXR5LmpwZw.jpg", "jpeg"),
            ("//\(Paths.base64).jxl", "jxl"),
        ] as [(String, String?)])
    func grammar(_ path: String, _ format: String?) throws {
        let url = try url(path)
        #expect(url.kind == .image)
        #expect(url.source == Paths.source)
        #expect(url.options.format?.name == format)
    }

    @Test("a query, an at sign and a percent sign are percent-encoded in a plain source")
    func encoded() throws {
        let url = try url("/plain/https://example.com/a%40b.jpg%3Fx=100%2525@png")
        #expect(url.source == "https://example.com/a@b.jpg?x=100%25")
        #expect(url.location == .remote(try #require(URL(string: "https://example.com/a@b.jpg?x=100%25"))))
    }

    @Test("characters that a URL cannot have are percent-encoded for the request")
    func invalidCharacters() throws {
        let url = try url("/plain/https://example.com/a%20b%C3%BC%22.jpg")
        #expect(url.source == "https://example.com/a bü\".jpg")
        #expect(url.location == .remote(try #require(URL(string: "https://example.com/a%20b%C3%BC%22.jpg"))))
    }

    @Test("objects of S3 and files have decoded paths")
    func otherPlaces() throws {
        #expect(
            try url("/plain/s3://bucket-1/folder/a%2520b.jpg").location
                == .object(bucket: "bucket-1", key: "folder/a b.jpg"))
        #expect(try url("/plain/local:///folder/a.jpg@png").location == .file(path: "folder/a.jpg"))
    }

    @Test(
        "no path leads out of a folder",
        arguments: [
            "local:///../a.jpg", "local:///a/../../b.jpg", "local:///%2e%2e/a.jpg", "local:///a/%2E%2E/b.jpg",
            "local:///..%2fa.jpg", "local:////etc/passwd", "local://etc/passwd", "local:///a/./b.jpg", "local:///a//b",
            "local:///a%00.jpg", "local:///", "local:", "local:///a.jpg?x", "local:///a\nb", "s3://bucket/../other/key",
            "s3:///key", "s3://bucket", "s3://bucket/", "s3://BUCK%45T/key", "s3://a:b@bucket/key",
        ])
    func traversal(_ source: String) {
        let encoded = source.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(error("/plain/\(encoded)")?.code == "invalidSource")
    }

    @Test(
        "malformed sources are refused",
        arguments: [
            "/plain/ftp://example.com/a.jpg", "/plain/file:///etc/passwd", "/plain/example.com/a.jpg",
            "/plain/https://", "/plain/https:///a.jpg", "/plain/https://exa%20mple.com/a.jpg",
            "/plain/https://example.com%5C%40evil.invalid/", "/plain/https://b%C3%BCcher.example/",
            "/plain/https://example.com/a%zz.jpg", "/plain/https://example.com/%FF", "/plain/https://a/b.jpg@png@jpg",
            "/\(Paths.base64).png.jpg", "/aHR0c*", "/AAAAA", "/enc/AAAA", "/____", "/plain/%0Ahttps://a/b",
        ])
    func malformed(_ path: String) {
        let error = error(path)
        #expect(error?.status == 422)
        #expect(error?.code == "invalidSource")
    }

    @Test(
        "a path without a source is not that of an image",
        arguments: [
            "", "/", "/unsafe", "/unsafe/", "/unsafe/w:10", "/unsafe/w:10/", "/unsafe/plain/", "x", "/info/unsafe",
        ])
    func notAnImage(_ path: String) {
        let error = #expect(throws: ImageURLError.self) { try ImageURL(rawPath: path, rules: Paths.unsigned) }
        #expect(error?.status == 404)
        #expect(error?.code == "notAnImageURL")
    }

    @Test("a path beyond the limit is refused before it is read")
    func length() {
        var rules = Paths.unsigned
        rules.maximumPathLength = 100
        let path = "/unsafe/cb:" + String(repeating: "a", count: 100) + "/plain/\(Paths.source)"
        let error = #expect(throws: ImageURLError.self) { try ImageURL(rawPath: path, rules: rules) }
        #expect(error?.status == 414)
    }

    @Test("a URL is valid until the second that it names")
    func expiry() throws {
        let url = try url("/exp:1000/plain/\(Paths.source)")
        try url.checkExpiry(now: 1_000)
        let error = #expect(throws: ImageURLError.self) { try url.checkExpiry(now: 1_001) }
        #expect(error?.status == 404)
        #expect(error?.code == "expired")
    }

    @Test("the fallback is a source in base 64")
    func fallback() throws {
        let url = try url("/fiu:\(Paths.base64)/plain/https://example.com/x.jpg")
        #expect(url.options.fallback == .remote(try #require(URL(string: Paths.source))))
        #expect(error("/fiu:AAAA/plain/https://example.com/x.jpg")?.status == 422)
    }

    @Test("messages quote at most 40 printable characters")
    func quotation() throws {
        let text = String(repeating: "%0a`é", count: 30)
        let error = try #require(self.error("/\(text):1/plain/https://a/b"))
        #expect(error.code == "unknownOption")
        #expect(error.message.utf8.count < 90)
        #expect(error.message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
}
#endif
