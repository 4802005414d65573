/// An interpreter of the terminal features that the command uses: characters, the cursor, and the alternate screen.
struct ScreenReader {
    /// The characters of the current screen.
    private(set) var cells: [[Character]]
    /// Whether the current screen is the alternate one, on which full-screen programs draw.
    private(set) var isAlternateScreen = false
    /// Whether the cursor is visible.
    private(set) var showsCursor = true
    /// The number of synchronized updates.
    private(set) var updates = 0

    private let columns: Int
    private let rows: Int
    private var mainScreen: [[Character]] = []
    private var (line, column) = (0, 0)
    private var saved = (0, 0)
    private var remaining: [Unicode.Scalar] = []
    private var position = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        cells = Self.blank(columns, rows)
    }

    /// The lines without trailing spaces.
    var lines: [String] {
        cells.map { line in
            String(line[..<(line.lastIndex { $0 != " " }.map { $0 + 1 } ?? 0)])
        }
    }

    /// All lines.
    var text: String { lines.joined(separator: "\n") }

    /// Interprets further output of the command.
    mutating func read(_ text: String) {
        // In Swift, a carriage return and a line feed are one character.
        remaining += text.unicodeScalars
        while let next = interpretNext() { position = next }
        remaining.removeFirst(position)
        position = 0
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Character]] {
        Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }

    /// Interprets one character or sequence and returns its end, or `nil` if it is incomplete.
    private mutating func interpretNext() -> Int? {
        guard position < remaining.count else { return nil }
        guard remaining[position] == "\u{1B}" else {
            put(Character(remaining[position]))
            return position + 1
        }
        guard position + 1 < remaining.count else { return nil }
        switch remaining[position + 1] {
        case "[":
            guard let end = remaining[(position + 2)...].firstIndex(where: { $0.properties.isAlphabetic }) else {
                return nil
            }
            control(String(String.UnicodeScalarView(remaining[(position + 2)..<end])), Character(remaining[end]))
            return end + 1
        case "_", "P":
            let end = (position + 2..<remaining.count).first { remaining[$0] == "\\" && remaining[$0 - 1] == "\u{1B}" }
            return end.map { $0 + 1 }
        case "7": saved = (line, column)
        case "8": (line, column) = saved
        default: break
        }
        return position + 2
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\r": column = 0
        case "\n":
            if line == rows - 1 {
                cells.removeFirst()
                cells.append(Array(repeating: " ", count: columns))
            } else {
                line += 1
            }
        default:
            if column < columns { cells[line][column] = character }
            column += 1
        }
    }

    private mutating func control(_ parameters: String, _ command: Character) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch command {
        case "H":
            line = min(rows, count) - 1
            column = min(columns, max(1, numbers.dropFirst().first ?? 1)) - 1
        case "A": line = max(0, line - count)
        case "B": line = min(rows - 1, line + count)
        case "C": column = min(columns - 1, column + count)
        case "J": cells = Self.blank(columns, rows)
        case "K": for column in min(column, columns)..<columns { cells[line][column] = " " }
        case "h": set(parameters, true)
        case "l": set(parameters, false)
        default: break
        }
    }

    private mutating func set(_ mode: String, _ isOn: Bool) {
        switch mode {
        case "?25": showsCursor = isOn
        case "?2026": updates += isOn ? 0 : 1
        case "?1049" where isOn != isAlternateScreen:
            if isOn { mainScreen = cells }
            cells = isOn ? Self.blank(columns, rows) : mainScreen
            isAlternateScreen = isOn
        default: break
        }
    }
}
