import ArgumentParser
import EaselCore
import Foundation
import Testing

@testable import easel

@Suite struct ImageInputTests {
    @Test(arguments: [
        "https://example.org/a.png", "HTTP://example.org", "http://127.0.0.1:8080/a?b=c#d", "http://[::1]/x",
        "file:///tmp/a.png", "data:image/png;base64,iVBORw0KGgo=", "http://u:p@example.org/a b.png",
    ])
    func urlsAreAccepted(text: String) throws {
        let input = try ImageInput(text)
        #expect(input.text == text)
        #expect(["http", "https", "file", "data"].contains(input.url.scheme?.lowercased()))
    }

    @Test(arguments: ["a.png", "/tmp/a b.png", "a:b.png", "写真.jpg", "~x", "100%.png", "a?b#c.png"])
    func everythingElseIsAPath(text: String) throws {
        let url = try ImageInput(text).url
        #expect(url.isFileURL)
        #expect(url.path.hasSuffix(text))
    }

    @Test func aHyphenIsStandardInput() throws {
        #expect(try ImageInput("-").url == ImageInput.standardInput)
        #expect(try ImageInput("./-").url != ImageInput.standardInput)
    }

    @Test(arguments: [
        "", " ", "\t", "http://", "http:///a.png", "https:a.png", "http://exa mple.org/", "http://host:99999/",
        "http://host:port/", "ftp://example.org/a.png", "a\u{0}b", "http://example.org/\u{1B}[2J", "file:",
    ])
    func emptyOrMalformedInputIsAnInvalidURL(text: String) {
        let error = #expect(throws: ImageError.self) { try ImageInput(text) }
        #expect(error?.code == "invalidURL")
    }

    @Test(arguments: [
        ("https://example.org/photos/cat.jpg?size=3&key=secret", "cat.jpg"), ("https://example.org", "example.org"),
        ("data:image/png;base64,AAAA", "data"), ("-", "stdin"), ("some/where/a.gif", "a.gif"),
        ("https://example.org/a%20b.png", "a b.png"),
    ])
    func aNameIsShortWithoutSecrets(text: String, name: String) throws {
        #expect(try ImageInput(text).name == name)
    }
}

@Suite struct InputListTests {
    @Test func eachLineIsAnInput() {
        #expect(InputOptions.lines(of: "a\nb\n") == ["a", "b"])
        #expect(InputOptions.lines(of: "a\nb") == ["a", "b"])
        #expect(InputOptions.lines(of: "a\r\nb\r\n") == ["a", "b"])
        #expect(InputOptions.lines(of: "") == [])
    }

    @Test func emptyLinesAreSkipped() {
        #expect(InputOptions.lines(of: "\na\n\r\nb\n") == ["a", "b"])
    }

    @Test func aMissingFileIsUnreadable() {
        let error = #expect(throws: ImageError.self) { try InputOptions.parse(["--from", "/no/such/file"]).readAll() }
        #expect(error?.code == "unreadable")
    }
}
