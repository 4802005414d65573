import ArgumentParser
import EaselCore
import Foundation
import Testing

@testable import easel

@Suite("Image input")
struct ImageInputTests {
    @Test(
        "http, https, file and data URLs are accepted",
        arguments: [
            "https://example.org/a.png", "HTTP://example.org", "http://127.0.0.1:8080/a?b=c#d", "http://[::1]/x",
            "file:///tmp/a.png", "data:image/png;base64,iVBORw0KGgo=", "http://u:p@example.org/a b.png",
        ])
    func urls(text: String) throws {
        let input = try ImageInput(text)
        #expect(input.text == text)
        #expect(["http", "https", "file", "data"].contains(input.url.scheme?.lowercased()))
    }

    @Test(
        "text without a known scheme is a path",
        arguments: ["a.png", "/tmp/a b.png", "a:b.png", "写真.jpg", "~x", "100%.png", "a?b#c.png"])
    func paths(text: String) throws {
        let url = try ImageInput(text).url
        #expect(url.isFileURL)
        #expect(url.path.hasSuffix(text))
    }

    @Test("a hyphen is standard input")
    func hyphen() throws {
        #expect(try ImageInput("-").url == ImageInput.standardInput)
        #expect(try ImageInput("./-").url != ImageInput.standardInput)
    }

    @Test(
        "empty or malformed input throws `invalidURL`",
        arguments: [
            "", " ", "\t", "http://", "http:///a.png", "https:a.png", "http://exa mple.org/", "http://host:99999/",
            "http://host:port/", "ftp://example.org/a.png", "a\u{0}b", "http://example.org/\u{1B}[2J", "file:",
        ])
    func malformed(text: String) {
        let error = #expect(throws: ImageError.self) { try ImageInput(text) }
        #expect(error?.code == .invalidURL)
    }

    @Test(
        "a display name is short and does not contain the query",
        arguments: [
            ("https://example.org/photos/cat.jpg?size=3&key=secret", "cat.jpg"), ("https://example.org", "example.org"),
            ("data:image/png;base64,AAAA", "data"), ("-", "stdin"), ("some/where/a.gif", "a.gif"),
            ("https://example.org/a%20b.png", "a b.png"),
        ])
    func displayName(text: String, name: String) throws {
        #expect(try ImageInput(text).name == name)
    }
}

@Suite("Input list")
struct InputListTests {
    @Test("each line is an input")
    func eachLine() {
        #expect(InputOptions.lines(of: "a\nb\n") == ["a", "b"])
        #expect(InputOptions.lines(of: "a\nb") == ["a", "b"])
        #expect(InputOptions.lines(of: "a\r\nb\r\n") == ["a", "b"])
        #expect(InputOptions.lines(of: "") == [])
    }

    @Test("empty lines are skipped")
    func emptyLines() {
        #expect(InputOptions.lines(of: "\na\n\r\nb\n") == ["a", "b"])
    }

    @Test("a missing list throws `unreadable`")
    func missingFile() {
        let error = #expect(throws: ImageError.self) { try InputOptions.parse(["--from", "/no/such/file"]).readAll() }
        #expect(error?.code == .unreadable)
    }
}
