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
        var count = line.count
        if count > 0, line[count - 1] == UInt8(ascii: "\n") { count -= 1 }
        if count > 0, line[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        if count == 0 { return try finish() }
        let text = UnsafeRawBufferPointer(rebasing: line[..<count])
        let survey = LineSurvey(text)
        // A stray carriage return or NUL could become a line break where the value is used again.
        guard !survey.hasBreak else { throw .invalidResponse("its head has a control character in it.") }
        try takeText(text, survey)
        return nil
    }

    /// Bytes are compared, and not characters: a head is ASCII, and each load has a dozen lines of it.
    private mutating func takeText(_ text: UnsafeRawBufferPointer, _ survey: LineSurvey) throws(ImageError) {
        if head == nil || text[0] == UInt8(ascii: "H"), text.starts(with: "HTTP/".utf8) {
            head = try Self.statusLine(text)
        } else if head == nil {
            throw .invalidResponse("it does not begin with a status.")
        } else if text[0].isBlank {
            extendLastField(with: Self.string(text.trimmingBlanks, isASCII: survey.isASCII))
        } else if let colon = survey.colon {
            let name = UnsafeRawBufferPointer(rebasing: text[..<colon]).trimmingBlanks
            let value = UnsafeRawBufferPointer(rebasing: text[(colon + 1)...]).trimmingBlanks
            head?.headers.append(
                name: Self.string(name, isASCII: survey.isASCII), value: Self.string(value, isASCII: survey.isASCII))
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
    private mutating func extendLastField(with text: String) {
        guard var fields = head?.headers.fields, let last = fields.indices.last else { return }
        fields[last].value += " " + text
        head?.headers = HTTPHeaders(fields)
    }

    /// `HTTP/1.1 200 OK`; the reason may be missing, the blank before it too.
    private static func statusLine(_ line: UnsafeRawBufferPointer) throws(ImageError) -> ResponseHead {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") }
        let version = line.prefix { !isBlank($0) }
        let digits = line[version.endIndex...].drop(while: isBlank).prefix { !isBlank($0) }
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            case let status = digits.reduce(0, { 10 * $0 + Int($1 - 0x30) }), status >= 100
        else { throw .invalidResponse("it does not begin with a status.") }
        return ResponseHead(status: status, version: string(UnsafeRawBufferPointer(rebasing: version), isASCII: false))
    }

    /// UTF-8 where it is, else Latin-1, which was the rule once and loses no byte.
    private static func string(_ bytes: UnsafeRawBufferPointer, isASCII: Bool) -> String {
        // Almost every line is ASCII, and then there is nothing to find out.
        if isASCII {
            return String(decoding: bytes.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
        }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// What is in a line of a head, found in one pass over it.
private struct LineSurvey {
    var colon: Int?
    var isASCII = true
    /// Whether there is a NUL or a carriage return.
    var hasBreak = false

    init(_ line: UnsafeRawBufferPointer) {
        var all: UInt8 = 0
        for (place, byte) in line.enumerated() {
            all |= byte
            if byte > UInt8(ascii: ":") { continue }
            if byte == UInt8(ascii: ":"), colon == nil { colon = place }
            if byte == 0 || byte == UInt8(ascii: "\r") { hasBreak = true }
        }
        isASCII = all < 0x80
    }
}

extension UnsafeRawBufferPointer {
    /// Without blanks and tabs around it.
    fileprivate var trimmingBlanks: UnsafeRawBufferPointer {
        var (start, end) = (0, count)
        while start < end, self[start].isBlank { start += 1 }
        while start < end, self[end - 1].isBlank { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
