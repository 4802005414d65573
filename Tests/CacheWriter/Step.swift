/// An operation of the writer on its folder.
enum Step {
    /// Stores one version of one entry.
    case store(number: Int, version: Int)
    case read(number: Int)
    case removeAll
    /// Counts the entries.
    case count
    /// Stores entries forever in four tasks, and reports each that was acknowledged.
    case fill(seed: UInt64)
    /// Stores, reads, removes and trims for the given time in four tasks, and then reports the outcome.
    case mix(seed: UInt64, milliseconds: Int)
    /// Continues as another user.
    case become(user: UInt32)
    /// Opens files until the limit is reached.
    case exhaust
    /// Closes those files.
    case release
    /// Reports the number of available processors.
    case processors

    /// Parses the next step of `words`; `nil` if they have none.
    init?(_ words: inout ArraySlice<String>) {
        let word = words.popFirst()
        switch word {
        case "store":
            guard let number: Int = Self.number(&words), let version: Int = Self.number(&words) else { return nil }
            self = .store(number: number, version: version)
        case "read":
            guard let number: Int = Self.number(&words) else { return nil }
            self = .read(number: number)
        case "remove-all": self = .removeAll
        case "count": self = .count
        case "fill":
            guard let seed: UInt64 = Self.number(&words) else { return nil }
            self = .fill(seed: seed)
        case "mix":
            guard let seed: UInt64 = Self.number(&words), let milliseconds: Int = Self.number(&words) else {
                return nil
            }
            self = .mix(seed: seed, milliseconds: milliseconds)
        case "become":
            guard let user: UInt32 = Self.number(&words) else { return nil }
            self = .become(user: user)
        case "exhaust": self = .exhaust
        case "release": self = .release
        case "processors": self = .processors
        default: return nil
        }
    }

    private static func number<Number: FixedWidthInteger>(_ words: inout ArraySlice<String>) -> Number? {
        words.popFirst().flatMap { Number($0) }
    }
}
