/// Formats numbers of bytes.
enum ByteText {
    static func text(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(rounded(count, 1_000)) kB"
        case ..<1_000_000_000: "\(rounded(count, 1_000_000)) MB"
        default: "\(rounded(count, 1_000_000_000)) GB"
        }
    }

    /// Rounds to one decimal below ten.
    private static func rounded(_ count: Int, _ unit: Int) -> String {
        let value = Double(count) / Double(unit)
        return value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
    }
}
