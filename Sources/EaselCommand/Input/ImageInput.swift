import EaselCore
import Foundation
import ArgumentParser

/// An image that the command loads: a URL, a path, or `-` for standard input.
struct ImageInput: Sendable, Hashable {
    /// The input as the user wrote it.
    let text: String
    /// The URL of the input: http, https, file, data, or `standardInput`.
    let url: URL

    /// The URL that represents standard input.
    static let standardInput = URL(filePath: "/dev/stdin")

    private static let schemes: Set<String> = ["http", "https", "file", "data"]

    /// Parses an input.
    ///
    /// - Throws: `ImageError.invalidURL` if the input is empty or malformed. This is a failed input, not a usage error.
    init(_ text: String) throws(ImageError) {
        self.text = text
        url = text == "-" ? Self.standardInput : try Self.url(text)
    }

    private static func url(_ text: String) throws(ImageError) -> URL {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .invalidURL("The input is empty.") }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .invalidURL("The input contains control characters.")
        }
        guard let scheme = scheme(of: text) else { return URL(filePath: text) }
        guard schemes.contains(scheme) else { throw .invalidURL("Unsupported scheme: \(scheme).") }
        guard let url = URL(string: text) else { throw .invalidURL("The URL is malformed.") }
        if scheme.hasPrefix("http") { try checkAuthority(of: text, url) }
        if scheme == "file", url.path.isEmpty { throw .invalidURL("The file URL has no path.") }
        return url
    }

    /// Returns the scheme of a URL. A path may contain a colon, so only `scheme://`, `data:` and `file:` count.
    private static func scheme(of text: String) -> String? {
        guard let match = text.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):(\/\/)?/) else { return nil }
        let scheme = match.1.lowercased()
        return match.2 != nil || schemes.contains(scheme) ? scheme : nil
    }

    /// Foundation repairs some malformed hosts with percent encoding. A host with a space is rejected instead.
    private static func checkAuthority(of text: String, _ url: URL) throws(ImageError) {
        let start = text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)
        let authority = text[start...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        guard text[start...].hasPrefix("//"), let host = url.host(percentEncoded: false), !host.isEmpty,
            !authority.contains(where: \.isWhitespace)
        else { throw .invalidURL("The URL has no host.") }
        if let port = url.port, !(1...65_535).contains(port) { throw .invalidURL("The port is out of range.") }
    }
}

extension ImageInput {
    /// A short name for display, without secrets from the query: the last part of the path, or the host.
    var name: String {
        if url == Self.standardInput { return "stdin" }
        if url.scheme == "data" { return "data" }
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? text : last
    }
}

extension ImageError {
    /// Returns the message for a failed input. Does not repeat the path of a file.
    func message(for input: String) -> String {
        let paths = [input, (try? ImageInput(input))?.url.path(percentEncoded: false) ?? input]
        guard code == .unreadable, let path = paths.first(where: { description.hasPrefix("\($0) ") }) else {
            return description
        }
        return String(description.dropFirst(path.count + 1))
    }
}

struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The images: http, https, file or data URLs, paths, or - for standard input.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Read more inputs from this file, one per line.", valueName: "file"))
    var from: [String] = []

    func validate() throws {
        if inputs.isEmpty, from.isEmpty {
            throw ValidationError("Missing input. Give a URL, a path, or - for standard input.")
        }
    }

    /// Returns all inputs: first those of the command line, then the lines of the `--from` files, except empty lines.
    ///
    /// - Throws: `ImageError.unreadable` for a `--from` file that is missing or is not text.
    func readAll() throws(ImageError) -> [String] {
        var all = inputs
        for path in from {
            do {
                all += Self.lines(of: try String(contentsOf: URL(filePath: path), encoding: .utf8))
            } catch {
                throw .unreadable(path: path, reason: "it is missing, not readable, or not UTF-8 text")
            }
        }
        return all
    }

    static func lines(of content: String) -> [String] {
        // In Swift, a carriage return and a line feed are one character.
        content.split { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }
}
