import EaselCore
import ArgumentParser
import Foundation
import Testing

@testable import easel

@Suite("Loading options")
struct LoadingOptionsTests {
    @Test("the defaults are the documented ones")
    func defaults() throws {
        let options = try LoadingOptions.parse([])
        #expect(options.concurrency == 6)
        #expect(options.timeout == 15)
        #expect(options.deadline == nil)
        #expect(options.retries == 2)
        #expect(options.maxPixels == 100_000_000)
        #expect(options.maxBytes == 268_435_456)
        #expect(options.header.isEmpty)
        #expect(!options.noCache && !options.refresh && !options.insecure && !options.stats && !options.json)
        #expect(!options.guardsAddresses && options.guardAllow.isEmpty)
    }

    @Test("every option is parsed")
    func parsing() throws {
        let options = try LoadingOptions.parse([
            "--cache", "c", "--no-cache", "--refresh", "--concurrency", "3", "--timeout", "2.5", "--deadline", "9",
            "--retries", "0", "--max-pixels", "10", "--max-bytes", "20", "--insecure", "--header", "A: b", "--stats",
            "--json", "--guard", "--guard-allow", "a", "--guard-allow", "b",
        ])
        #expect(options.guardsAddresses && options.guardAllow == ["a", "b"])
        #expect(options.cacheLocation.cache == "c")
        #expect(options.concurrency == 3)
        #expect(options.timeout == 2.5)
        #expect(options.deadline == 9)
        #expect(options.header == [HTTPHeaders.Field(name: "A", value: "b")])
        #expect(options.noCache && options.refresh && options.insecure && options.stats && options.json)
    }

    @Test(
        "invalid values are usage errors",
        arguments: [
            ["--concurrency", "0"], ["--timeout", "0"], ["--timeout", "nan"], ["--timeout", "inf"],
            ["--deadline", "-1"],
            ["--retries", "-1"], ["--max-pixels", "0"], ["--max-bytes", "x"], ["--header", "no colon"],
        ])
    func invalidValues(arguments: [String]) {
        let error = #expect(throws: (any Error).self) {
            let options = try LoadingOptions.parse(arguments.map { $0 })
            _ = options.concurrency
        }
        #expect(error.map(ExitStatus.of) == ExitStatus.usage)
    }

    @Test("--cache takes precedence over the environment, and the environment over the default")
    func precedence() throws {
        let named = try CacheLocation.parse(["--cache", "a"])
        let unnamed = try CacheLocation.parse([])
        #expect(named.folder(environment: ["EASEL_CACHE_DIR": "b"], defaultFolder: "c") == "a")
        #expect(unnamed.folder(environment: ["EASEL_CACHE_DIR": "b"], defaultFolder: "c") == "b")
        #expect(unnamed.folder(environment: ["EASEL_CACHE_DIR": ""], defaultFolder: "c") == "c")
    }
}

@Suite("Input options")
struct InputOptionsTests {
    @Test("inputs of the command line come before those of a list")
    func order() throws {
        try withTemporaryFolder { root in
            let list = try OutputFolder(root)
            try list.write(.init("x\ny\n".utf8), to: "list")
            let options = try InputOptions.parse(["a", "-", "", "--from", root + "/list"])
            #expect(try options.readAll() == ["a", "-", "", "x", "y"])
        }
    }

    @Test("a command without input is a usage error")
    func noInput() {
        let error = #expect(throws: (any Error).self) { _ = try InputOptions.parse([]) }
        #expect(error.map(ExitStatus.of) == ExitStatus.usage)
    }
}

@Suite("Header option")
struct HeaderFieldTests {
    @Test("the name is before the first colon, the value after it")
    func nameAndValue() {
        let field = try? LoadingOptions.parseHeaderField("X-Token:  a: b \t")
        #expect(field?.name == "X-Token")
        #expect(field?.value == "a: b")
        #expect((try? LoadingOptions.parseHeaderField("X-Empty:"))?.value == "")
    }

    @Test(
        "invalid header fields are rejected",
        arguments: ["", ":", ": x", "a b: c", "a", "é: x", "a: b\r\nEvil: 1", "a\n: b"])
    func invalidFields(text: String) {
        #expect((try? LoadingOptions.parseHeaderField(text)) == nil)
    }
}
