/// How much there is to do: all of it, or just enough to show that everything works.
enum Scale {
    /// Whether `--quick` was given.
    static let isQuick = CommandLine.arguments.contains("--quick")

    /// A number for each.
    static func pick<Value>(_ full: Value, quick: Value) -> Value { isQuick ? quick : full }

    /// As people read it: 100,000.
    static func title(_ number: Int) -> String {
        var digits = String(number)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(digits.suffix(3), at: 0)
            digits.removeLast(3)
        }
        return ([digits[...]] + groups).joined(separator: ",")
    }
}
