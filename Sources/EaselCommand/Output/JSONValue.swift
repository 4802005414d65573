/// A piece of JSON (RFC 8259) whose members keep the order in which they were written: Foundation's encoder promises none,
/// and a line that always looks the same can be compared and read.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Int)
    /// A number with up to three digits after the point, such as milliseconds.
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    struct Member: Sendable, Hashable {
        let name: String
        let value: JSONValue
    }

    /// All in one line.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .decimal(let value): Self.text(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
        }
    }

    private static func text(_ value: Double) -> String {
        let thousandths = (value * 1000).rounded()
        // JSON has no infinity, and no number here is ever meant to be that large.
        guard abs(thousandths) < 1e15 else { return "null" }
        let whole = Int(thousandths)
        if whole.isMultiple(of: 1000) { return String(whole / 1000) }
        return String(Double(whole) / 1000)
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // DEL and the C1 controls are legal in JSON, but a terminal obeys them.
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
