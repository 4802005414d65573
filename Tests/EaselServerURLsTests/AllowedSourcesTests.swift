#if Server
import EaselServerURLs
import Testing

@Suite("Server URLs: allowed sources")
struct AllowedSourcesTests {
    private func allows(_ prefix: String, _ source: String) -> Bool {
        var rules = Paths.unsigned
        rules.sources = .allowing([prefix])
        let encoded = source.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        do {
            _ = try ImageURL(rawPath: "/unsafe/plain/\(encoded)", rules: rules)
            return true
        } catch {
            return false
        }
    }

    @Test(
        "a source that begins with an allowed text is allowed",
        arguments: [
            ("https://example.com/", "https://example.com/a.jpg"), ("https://example.com", "https://example.com/a.jpg"),
            ("https://example.com", "https://example.com"), ("https://example.com/a/", "https://example.com/a/b/c.jpg"),
            ("HTTPS://Example.com/", "https://EXAMPLE.com/a.jpg"),
            ("https://*.example.com/", "https://a.b.example.com/x"),
            ("https://example.com:8443/", "https://example.com:8443/a"), ("https://", "https://anything.invalid/a"),
            ("https://example.com/*/public/", "https://example.com/user/public/a.jpg"),
            ("s3://bucket/folder/", "s3://bucket/folder/a.jpg"), ("local://", "local:///a.jpg"),
            ("local:///public/", "local:///public/a.jpg"), ("https://*/", "https://example.com/a"),
            ("https://example.com/a/", "https://example.com/a/%2525252561.jpg"),
        ])
    func allowed(_ prefix: String, _ source: String) {
        #expect(allows(prefix, source))
    }

    @Test(
        "other hosts, schemes, ports and folders are refused",
        arguments: [
            ("https://example.com", "https://example.com.evil.invalid/a.jpg"),
            ("https://example.com", "https://example.com@evil.invalid/a.jpg"),
            ("https://example.com", "https://example.com:8443/a.jpg"),
            ("https://example.com/", "http://example.com/a.jpg"),
            ("https://*.example.com/", "https://evil.invalid/.example.com/"),
            ("https://*.example.com/", "https://evil.invalid?.example.com/"),
            ("https://*.example.com/", "https://evil.invalid#.example.com/"),
            ("https://*.example.com/", "https://evil.invalid\\.example.com/"),
            ("https://*.example.com/", "https://user@a.example.com/"),
            ("https://*.example.com/", "https://evil.invalid:1.example.com/"),
            ("https://*.example.com/", "https://example.com/"),
            ("https://example.com/a/", "https://example.com/b/c.jpg"),
            ("https://example.com/a/", "https://example.com/a/../b.jpg"),
            ("https://example.com/a/", "https://example.com/a/%2e%2E/b.jpg"),
            ("https://example.com/a/", "https://example.com/a/%252e%252e/b.jpg"),
            ("https://example.com/a/", "https://example.com/a/%252525252561.jpg"),
            ("https://example.com/a/", "https://example.com/a/..%2fb.jpg"),
            ("https://example.com/a/", "https://example.com/a/..\\b.jpg"),
            ("https://example.com/*/public/", "https://example.com/a/b/public/c.jpg"),
            ("s3://bucket/folder/", "s3://bucket/other/a.jpg"), ("local:///public/", "local:///private/a.jpg"),
            ("local:///public/", "local:///public/../private/a.jpg"), ("example.com", "https://example.com/"),
            ("https://example.com/", "local:///a.jpg"),
        ])
    func refused(_ prefix: String, _ source: String) {
        #expect(!allows(prefix, source))
    }

    @Test("a forbidden source has a status of 403, also as the fallback")
    func status() {
        var rules = Paths.unsigned
        rules.sources = .allowing(["https://example.com/"])
        for path in ["/unsafe/plain/https://other.example/a.jpg", "/unsafe/fiu:aHR0cHM6Ly9iL2M/plain/\(Paths.source)"] {
            let error = #expect(throws: ImageURLError.self) { try ImageURL(rawPath: path, rules: rules) }
            #expect(error?.status == 403)
            #expect(error?.code == "forbiddenSource")
        }
    }

    @Test("a long pattern with many wildcards takes no time")
    func complexity() {
        let prefix = "https://" + String(repeating: "*a", count: 200) + "/"
        #expect(!allows(prefix, "https://" + String(repeating: "a", count: 2_000) + "b/"))
    }
}
#endif
