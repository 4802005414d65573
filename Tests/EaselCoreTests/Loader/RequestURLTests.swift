import Testing

@testable import EaselCore

@Suite("Request URL")
struct RequestURLTests {
    @Test("A URL passes as it stands", arguments: ["http://a.example/x?y=%20#z", "HTTPS://[::1]:8443/", "http://a"])
    func passes(url: String) throws {
        #expect(try RequestURL(url).text == url)
    }

    @Test("User and password are cut out of the URL and out of the texts")
    func cutsUserInformation() throws {
        let url = try RequestURL("https://me:p@ss@a.example:81/b@c?d=@")
        #expect(url.text == "https://a.example:81/b@c?d=@")
        #expect(url.host == "a.example:81")
    }

    @Test("The scheme says whether it is secure, whatever its case")
    func scheme() throws {
        #expect(try RequestURL("HTTPS://a.example").isSecure)
        #expect(try !RequestURL("http://a.example").isSecure)
    }

    @Test(
        "What is not an absolute, encoded http URL is refused",
        arguments: [
            "", "a.example/x", "ftp://a.example/", "file:///etc/passwd", "http:/a.example", "http:///a.example",
            "http://", "http://user@/x", "http://:80/", "http://a.example/ä", "http://a.example/a b",
            "http://a.example/\r\nX: y", "http://a.example/\u{7F}", "http://a\\@b.example/", "http://a.example/\0",
        ])
    func refuses(url: String) {
        #expect {
            try RequestURL(url)
        } throws: { error in
            if case ImageError.invalidURL = error { true } else { false }
        }
    }

    @Test("An error does not repeat the URL, which may hold a secret")
    func errorsKeepSecrets() throws {
        let error = try #require(throws: ImageError.self) { try RequestURL("ftp://me:secret@a.example/") }
        #expect(!error.description.contains("secret"))
    }
}
