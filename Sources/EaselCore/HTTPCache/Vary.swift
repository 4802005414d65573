/// Which fields of a request an answer depends on, and what they were (RFC 9111 4.1).
struct Vary: Sendable, Hashable {
    /// The digest of each field's value, by its name in lower case. Digests, because a field may hold a secret and this
    /// is kept on disk. A field that the request did not have has the digest of nothing.
    private var digests: [String: String] = [:]
    /// `Vary: *`: the answer depends on what no field tells. A list that is too long to be kept counts as one.
    private(set) var isUnbounded = false

    /// Whether the answer is the same for every request.
    var isEmpty: Bool { digests.isEmpty && !isUnbounded }

    /// What `response` says, held against the fields of the request that it answers.
    init(_ response: HTTPHeaders, request: HTTPHeaders) {
        guard response["Vary"] != nil else { return }
        let names = response.all("Vary").flatMap { $0.split(separator: ",") }.map { name in
            Self.trimmed(name).lowercased()
        }
        let fields = Set(names).subtracting([""])
        guard !fields.contains("*"), fields.count <= Self.mostFields,
            fields.allSatisfy({ $0.utf8.count <= Self.longestName && $0.utf8.allSatisfy(Self.isNameByte) })
        else {
            isUnbounded = true
            return
        }
        for name in fields { digests[name] = Self.digest(request, name) }
    }

    /// Whether an answer to `request` would have been the same.
    func matches(_ request: HTTPHeaders) -> Bool {
        !isUnbounded && digests.allSatisfy { Self.digest(request, $0.key) == $0.value }
    }

    /// Equal but for white space and the lines that a list is spread over: 4.1 allows no more without knowing the field.
    private static func digest(_ request: HTTPHeaders, _ name: String) -> String {
        let values = request.all(name).flatMap { $0.split(separator: ",") }.map(trimmed)
        if values.isEmpty { return "-" }
        return CacheKey(values.joined(separator: ","), fileExtension: "").bareFileName
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var bytes = text.utf8.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    private static let mostFields = 8
    private static let longestName = 32

    /// Of the characters that a name may have (RFC 9110 5.6.2), those that names in use have.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension Vary: CustomStringConvertible {
    /// `accept=DIGEST accept-language=-`, or `*`, as it is kept beside a file.
    var description: String {
        if isUnbounded { return "*" }
        return digests.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    /// What `description` wrote.
    init(kept text: String) {
        for pair in text.split(separator: " ") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                isUnbounded = true
                return
            }
            digests[String(parts[0])] = String(parts[1])
        }
    }
}
