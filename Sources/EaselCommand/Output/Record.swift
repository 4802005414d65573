import EaselCore

/// What became of one input, as one line of JSON.
enum Record {
    /// The members that begin every line.
    static func beginning(input: String, ok: Bool) -> [JSONValue.Member] {
        [.init(name: "input", value: .string(input)), .init(name: "ok", value: .bool(ok))]
    }

    /// An input that failed.
    static func failure(input: String, _ error: ImageError) -> JSONValue {
        let details: JSONValue = [
            "code": .string(error.code), "number": .number(error.number), "message": .string(error.description),
        ]
        return .object(beginning(input: input, ok: false) + [.init(name: "error", value: details)])
    }
}

extension Duration {
    /// The whole of it.
    var milliseconds: Double { self / .milliseconds(1) }
}
