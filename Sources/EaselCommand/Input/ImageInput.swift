import EaselCore
import Foundation
import ArgumentParser

/// One image that the command was asked for: a URL, a path, or `-` for standard input.
struct ImageInput: Sendable, Hashable {
    /// What the user wrote.
    let text: String
    /// What it means: http, https, file, data, or `standardInput`.
    let url: URL

    /// Stands for the bytes of standard input.
    static let standardInput = URL(filePath: "/dev/stdin")

    /// The schemes that Easel loads.
    private static let schemes: Set<String> = ["http", "https", "file", "data"]

    /// Understands what the user wrote.
    ///
    /// - Throws: `ImageError.invalidURL` for what is empty or malformed: a failed input, not a wrong usage.
    init(_ text: String) throws(ImageError) {
        self.text = text
        url = text == "-" ? Self.standardInput : try Self.url(text)
    }

    private static func url(_ text: String) throws(ImageError) -> URL {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .invalidURL("This input is empty.") }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw .invalidURL("This input has control characters in it.")
        }
        guard let scheme = scheme(of: text) else { return URL(filePath: text) }
        guard schemes.contains(scheme) else { throw .invalidURL("Easel loads no \(scheme): URLs.") }
        guard let url = URL(string: text) else { throw .invalidURL("This is no URL.") }
        if scheme.hasPrefix("http") { try checkAuthority(of: text, url) }
        if scheme == "file", url.path.isEmpty { throw .invalidURL("This file: URL names no file.") }
        return url
    }

    /// The scheme of what is meant as a URL. A path may hold a colon, so only `scheme://`, `data:` and `file:` count.
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

    /// Foundation mends some malformed hosts with percent signs; a host with a space in it is a mistake, not a name.
    private static func checkAuthority(of text: String, _ url: URL) throws(ImageError) {
        let start = text.index(text.firstIndex(of: ":") ?? text.startIndex, offsetBy: 1)
        let authority = text[start...].drop { $0 == "/" }.prefix { !"/?#".contains($0) }
        guard text[start...].hasPrefix("//"), let host = url.host(percentEncoded: false), !host.isEmpty,
            !authority.contains(where: \.isWhitespace)
        else { throw .invalidURL("This URL names no host.") }
        if let port = url.port, !(1...65_535).contains(port) { throw .invalidURL("This URL's port is out of range.") }
    }
}

extension ImageInput {
    /// What a person calls it, short and without a query's secrets: the last part of the path, or the host.
    var name: String {
        if url == Self.standardInput { return "stdin" }
        if url.scheme == "data" { return "data" }
        let last = url.lastPathComponent
        return last.isEmpty || last == "/" ? url.host() ?? text : last
    }
}

/// The inputs of one run, in order: those on the command line, then those of the `--from` file.
enum InputList {
    /// A line an input. Empty lines are skipped.
    static func lines(of content: String) -> [String] {
        // By bytes: to Swift, a carriage return and a line feed are one character.
        content.utf8.split(separator: UInt8(ascii: "\n"))
            .map { String(Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)) }
            .filter { !$0.isEmpty }
    }

    /// The lines of a file.
    ///
    /// - Throws: `ImageError.unreadable` for a file that is not there or is no text.
    static func read(_ path: String) throws(ImageError) -> [String] {
        let content: String
        do {
            content = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        } catch {
            throw .unreadable(path: path, reason: "it is missing, not allowed, or no UTF-8 text")
        }
        return lines(of: content)
    }
}

/// What images a command is about.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to load: http, https, file and data URLs, paths, or - for standard input.", valueName: "input"))
    var inputs: [String] = []

    @Option(help: ArgumentHelp("Read further inputs from this file, one a line.", valueName: "file"))
    var from: [String] = []

    func validate() throws {
        if inputs.isEmpty, from.isEmpty {
            throw ValidationError("Name an image: a URL, a path, or - for standard input.")
        }
    }

    /// All inputs, in order.
    ///
    /// - Throws: `ImageError.unreadable` for a `--from` file that cannot be read.
    func all() throws(ImageError) -> [String] {
        var all = inputs
        for path in from { all += try InputList.read(path) }
        return all
    }
}

/// Which input is worked on next, and whose result is due: results come in the order of the inputs, and equal inputs are
/// worked on once.
///
/// It holds a result for as long as an input in the list still waits for it, and starts no more than `window` inputs ahead
/// of the one that is due, so that results do not pile up behind a slow one.
struct InputOrder<Value> {
    /// What is to be done to come closer to the end.
    enum Step {
        /// This input's result is due.
        case deliver(input: String, index: Int, Value, isRepeated: Bool)
        /// The result that is due is not there yet.
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

    /// The order of these inputs.
    init(_ inputs: [String], window: Int) {
        self.inputs = inputs
        self.window = window
        waiting = inputs.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// The next input to work on, and the number by which its result is told; `nil` where none may be started now.
    mutating func nextStart() -> (number: Int, input: String)? {
        while nextToStart < min(inputs.count, nextToDeliver + window) {
            defer { nextToStart += 1 }
            if started.insert(inputs[nextToStart]).inserted { return (nextToStart, inputs[nextToStart]) }
        }
        return nil
    }

    /// Takes the result of an input that was started.
    mutating func finish(_ number: Int, _ value: Value) {
        results[inputs[number]] = value
    }

    /// The next step, which counts as done; `nil` after the last.
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
