internal import EaselCore
internal import EaselTransport

/// A parser that reads header lines, which libcurl delivers one by one, and drops interim responses and trailers.
///
/// The head is complete only at its empty line: libcurl reports success if a connection closes inside the head.
struct HeadParser {
    /// The maximum size of a response's header lines, interim responses and trailers included.
    static let byteLimit = 64 << 10

    private var head: ResponseHead?
    private var byteCount = 0
    /// Whether the final head is complete. Later lines are trailers.
    private(set) var isComplete = false
    /// Whether another head can follow, since libcurl responds to challenges itself.
    var expectsAnother = false

    /// Adds a line, line break included, and returns the head if this line ends it.
    ///
    /// - Throws: `ImageError.invalidResponse`.
    mutating func append(_ line: UnsafeRawBufferPointer) throws(ImageError) -> ResponseHead? {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else {
            throw .invalidResponse("its head is longer than \(Self.byteLimit) bytes.")
        }
        if isComplete {
            guard expectsAnother, line.starts(with: "HTTP/".utf8) else { return nil }
            isComplete = false
        }
        let text = Self.text(of: line)
        if text.isEmpty { return try finish() }
        // A carriage return or NUL could become a line break when the value is reused.
        guard !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            throw .invalidResponse("its head contains a control character.")
        }
        if text.utf8.starts(with: "HTTP/".utf8) {
            head = try Self.parseStatusLine(text)
        } else if head == nil {
            throw .invalidResponse("it does not begin with a status.")
        } else if text.utf8.first == UInt8(ascii: " ") || text.utf8.first == UInt8(ascii: "\t") {
            extendLastField(with: text.trimmingBlanks)
        } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[text.utf8.index(after: colon)...]
            head?.headers.append(name: String(text[..<colon].trimmingBlanks), value: String(value.trimmingBlanks))
        }
        // Ignores a line without a colon, as browsers do.
        return nil
    }

    private mutating func finish() throws(ImageError) -> ResponseHead? {
        guard var finished = head else { throw .invalidResponse("its head is empty.") }
        try finished.readFraming()
        if finished.status < 200 {
            head = nil
            return nil
        }
        isComplete = true
        return finished
    }

    /// Appends a folded line (RFC 9112 5.2); the fold counts as one space.
    private mutating func extendLastField(with text: Substring) {
        guard var fields = head?.headers.fields, let last = fields.indices.last else { return }
        fields[last].value += " " + text
        head?.headers = HTTPHeaders(fields)
    }

    /// Parses `HTTP/1.1 200 OK`. The reason and the preceding space are optional.
    private static func parseStatusLine(_ line: Substring) throws(ImageError) -> ResponseHead {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
            throw .invalidResponse("it does not begin with a status.")
        }
        return ResponseHead(status: status, version: String(words[0]))
    }

    /// Returns a line without its line break: as UTF-8 if it is valid, otherwise as Latin-1, which preserves all bytes.
    private static func text(of line: UnsafeRawBufferPointer) -> Substring {
        var bytes = line[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        return text[...]
    }
}
