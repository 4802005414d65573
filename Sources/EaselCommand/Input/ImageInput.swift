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

    /// The schemes that Easel loads.
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
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy(isSchemeCharacter)
        else { return nil }
        let rest = text[text.index(after: colon)...]
        return rest.hasPrefix("//") || schemes.contains(scheme) ? scheme : nil
    }

    /// RFC 3986 3.1.
    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
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

/// The inputs of a run, in order: first the command line, then the `--from` file.
enum InputList {
    /// Returns the inputs in `content`, one a line. Skips empty lines.
    static func lines(of content: String) -> [String] {
        // Splits by bytes: in Swift, a carriage return and a line feed are one character.
        content.utf8.split(separator: UInt8(ascii: "\n"))
            .map { String(Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)) }
            .filter { !$0.isEmpty }
    }

    /// Returns the lines of a file.
    ///
    /// - Throws: `ImageError.unreadable` if the file is missing or is not text.
    static func read(_ path: String) throws(ImageError) -> [String] {
        let content: String
        do {
            content = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: "it is missing, not readable, or not UTF-8 text")
        }
        return lines(of: content)
    }
}

/// The images that a command loads.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The images: http, https, file or data URLs, paths, or - for standard input.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Read more inputs from this file, one a line.", valueName: "file"))
    var from: [String] = []

    func validate() throws {
        if inputs.isEmpty, from.isEmpty {
            throw ValidationError("Missing input. Give a URL, a path, or - for standard input.")
        }
    }

    /// Returns all inputs, in order.
    ///
    /// - Throws: `ImageError.unreadable` for a `--from` file that cannot be read.
    func all() throws(ImageError) -> [String] {
        var all = inputs
        for path in from { all += try InputList.read(path) }
        return all
    }
}

/// Schedules inputs so that results are delivered in the order of the inputs, and equal inputs are loaded once.
///
/// It keeps a result while a later input still needs it. It starts at most `window` inputs ahead of the next one to
/// deliver, which bounds the results that wait for a slow one.
struct InputOrder<Value> {
    /// The next step of a run.
    enum Step {
        /// Deliver the result of this input.
        case deliver(input: String, index: Int, Value, isRepeated: Bool)
        /// Wait for the next result.
        case wait
    }

    private let inputs: [String]
    private let window: Int
    private var waiting: [String: Int]
    private var started: Set<String> = []
    private var results: [String: Value] = [:]
    private var delivered: Set<String> = []
    private var nextToStart = 0
    private var nextToDeliver = 0

    init(_ inputs: [String], window: Int) {
        self.inputs = inputs
        self.window = window
        waiting = inputs.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Returns the next input to load and the number for `finish`, or `nil` if none may start now.
    mutating func nextStart() -> (number: Int, input: String)? {
        while nextToStart < min(inputs.count, nextToDeliver + window) {
            defer { nextToStart += 1 }
            if started.insert(inputs[nextToStart]).inserted { return (nextToStart, inputs[nextToStart]) }
        }
        return nil
    }

    /// Stores the result of a started input.
    mutating func finish(_ number: Int, _ value: Value) {
        results[inputs[number]] = value
    }

    /// Returns the next step and marks it as done, or returns `nil` after the last.
    mutating func nextDelivery() -> Step? {
        guard nextToDeliver < inputs.count else { return nil }
        let input = inputs[nextToDeliver]
        guard let value = results[input] else { return .wait }
        nextToDeliver += 1
        let left = waiting[input, default: 1] - 1
        waiting[input] = left
        if left == 0 { results[input] = nil }
        let isFirst = delivered.insert(input).inserted
        return .deliver(input: input, index: nextToDeliver, value, isRepeated: !isFirst)
    }
}
