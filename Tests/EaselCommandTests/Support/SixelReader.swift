/// A decoder of sixels that shows the pixels that a terminal would draw.
struct SixelReader {
    /// Percentages of red, green and blue; `nil` for pixels that are not drawn.
    private(set) var rows: [[[Int]?]] = []

    private var colors: [Int: [Int]] = [:]
    private var color = 0
    private var left = 0
    private var top = 0

    init?(_ text: String) {
        guard text.hasPrefix("\u{1B}P"), text.hasSuffix("\u{1B}\\"), let start = text.firstIndex(of: "q") else {
            return nil
        }
        var remaining = text[text.index(after: start)...].dropLast(2)
        while let command = remaining.popFirst() {
            switch command {
            case "\"":
                let size = Self.numbers(&remaining)
                guard size.count == 4 else { return nil }
                rows = Array(repeating: Array(repeating: nil, count: size[2]), count: size[3])
            case "#":
                let numbers = Self.numbers(&remaining)
                color = numbers[0]
                if numbers.count == 5 { colors[color] = Array(numbers[2...]) }
            case "!":
                guard let count = Self.numbers(&remaining).first, let sixel = remaining.popFirst() else { return nil }
                for _ in 0..<count { draw(sixel) }
            case "$": left = 0
            case "-":
                left = 0
                top += 6
            default: draw(command)
            }
        }
    }

    private mutating func draw(_ sixel: Character) {
        let bits = Int(sixel.asciiValue ?? 63) - 63
        for bit in 0..<6 where bits & 1 << bit != 0 { rows[top + bit][left] = colors[color] }
        left += 1
    }

    private static func numbers(_ text: inout Substring) -> [Int] {
        let digits = text.prefix { $0.isNumber || $0 == ";" }
        text = text.dropFirst(digits.count)
        return digits.split(separator: ";").compactMap { Int($0) }
    }
}
