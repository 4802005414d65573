internal import EaselCore

/// Makes a head of the lines that libcurl hands over one by one, and swallows interim answers and trailers.
///
/// The head is complete at its empty line and never before: libcurl calls a connection that closes inside the head a
/// success.
struct HeadParser {
    /// The most bytes of one answer's head lines, interim answers and trailers included.
    static let byteLimit = 64 << 10

    private var head: ResponseHead?
    private var byteCount = 0
    /// Whether the final head has come: what follows are trailers.
    private(set) var isComplete = false
    /// Whether another head may follow all the same, as libcurl answers a challenge by itself.
    var expectsAnother = false

    /// Takes a line, line break included, and returns the head if this line ends it.
    ///
    /// - Throws: `ImageError.invalidResponse`.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(ImageError) -> ResponseHead? {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else {
            throw .invalidResponse("its head is longer than \(Self.byteLimit) bytes.")
        }
        if isComplete {
            guard expectsAnother, line.starts(with: "HTTP/".utf8) else { return nil }
            isComplete = false
        }
        var text = line[...]
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        if text.isEmpty { return try finish() }
        // A stray carriage return or NUL could become a line break where the value is used again.
        guard !text.contains(0), !text.contains(UInt8(ascii: "\r")) else {
            throw .invalidResponse("its head has a control character in it.")
        }
        try take(Self.string(text))
        return nil
    }

    private mutating func take(_ text: String) throws(ImageError) {
        if text.hasPrefix("HTTP/") {
            head = try Self.statusLine(text)
        } else if head == nil {
            throw .invalidResponse("it does not begin with a status.")
        } else if text.hasPrefix(" ") || text.hasPrefix("\t") {
            extendLastField(with: text[...].trimmingBlanks)
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].trimmingBlanks
            let value = text[text.index(after: colon)...].trimmingBlanks
            head?.headers.append(name: String(name), value: String(value))
        }
        // A line without a colon says nothing; browsers pass over it too.
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

    /// A folded value goes on in the next line (RFC 9112 5.2); the fold counts as one blank.
    private mutating func extendLastField(with text: Substring) {
        guard var fields = head?.headers.fields, let last = fields.indices.last else { return }
        fields[last].value += " " + text
        head?.headers = HTTPHeaders(fields)
    }

    /// `HTTP/1.1 200 OK`; the reason may be missing, the blank before it too.
    private static func statusLine(_ text: String) throws(ImageError) -> ResponseHead {
        let words = text.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100 else {
            throw .invalidResponse("it does not begin with a status.")
        }
        return ResponseHead(status: status, version: String(words[0]))
    }

    /// UTF-8 where it is, else Latin-1, which was the rule once and loses no byte.
    private static func string(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
