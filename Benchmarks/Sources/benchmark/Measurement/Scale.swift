/// The amount of work: full, or just enough to check that everything works.
enum Scale {
    /// Whether `--quick` was given.
    static let isQuick = CommandLine.arguments.contains("--quick")

    /// Returns one of two values.
    static func pick<Value>(_ full: Value, quick: Value) -> Value { isQuick ? quick : full }

    /// Formats a number, such as 100,000.
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
