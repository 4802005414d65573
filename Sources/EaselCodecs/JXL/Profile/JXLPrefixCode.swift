#if JXL
/// A prefix code, told by the lengths of its codes as Brotli's are (RFC 7932, section 3; ISO/IEC 18181-1, annex C).
struct JXLPrefixCode {
    /// Those that have a code, the shortest first.
    private let symbols: [UInt16]
    /// How many codes have each length.
    private var counts = [Int](repeating: 0, count: longest + 1)

    private static let longest = 15

    init?(_ reader: inout JXLBitReader, alphabetSize: Int) {
        if alphabetSize == 1 {
            self.init(lengths: [1])
            return
        }
        guard let kind = reader.bits(2),
            let lengths = kind == 1
                ? Self.simpleLengths(&reader, alphabetSize) : Self.lengths(&reader, alphabetSize, skipping: kind)
        else { return nil }
        self.init(lengths: lengths)
    }

    /// - Parameter lengths: of the symbols' codes, 0 for those without. They leave no code over, unless there is one.
    private init(lengths: [UInt8]) {
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var places = [0]
        for count in counts.dropFirst() { places.append(places[places.count - 1] + count) }
        var symbols = [UInt16](repeating: 0, count: places[Self.longest])
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[places[Int(length) - 1]] = UInt16(truncatingIfNeeded: symbol)
            places[Int(length) - 1] += 1
        }
        self.symbols = symbols
    }

    /// The next symbol. One that is alone needs no bits.
    func symbol(_ reader: inout JXLBitReader) -> Int? {
        if symbols.count == 1 { return Int(symbols[0]) }
        // The codes of a length are consecutive numbers, and so are their symbols' places.
        var (code, first, place) = (0, 0, 0)
        for length in 1...Self.longest {
            guard let bit = reader.bits(1) else { return nil }
            code = code << 1 | bit
            if code - first < counts[length] { return Int(symbols[place + code - first]) }
            place += counts[length]
            first = (first + counts[length]) << 1
        }
        return nil
    }

    /// Up to four symbols by name.
    private static func simpleLengths(_ reader: inout JXLBitReader, _ alphabetSize: Int) -> [UInt8]? {
        guard var kind = reader.bits(2) else { return nil }
        var symbols: [Int] = []
        for _ in 0...kind {
            guard let symbol = reader.bits((alphabetSize - 1).significantBits), symbol < alphabetSize,
                !symbols.contains(symbol)
            else { return nil }
            symbols.append(symbol)
        }
        if kind == 3 {
            guard let isUneven = reader.bits(1) else { return nil }
            kind += isUneven
        }
        var lengths = [UInt8](repeating: 0, count: alphabetSize)
        for (symbol, length) in zip(symbols, [[1], [1, 1], [1, 2, 2], [2, 2, 2, 2], [1, 2, 3, 3]][kind]) {
            lengths[symbol] = UInt8(length)
        }
        return lengths
    }

    /// Lengths that are coded themselves.
    private static func lengths(_ reader: inout JXLBitReader, _ alphabetSize: Int, skipping: Int) -> [UInt8]? {
        guard let lengthCode = lengthCode(&reader, skipping: skipping) else { return nil }
        var lengths: [UInt8] = []
        var room = 1 << longest
        // The length that a 16 repeats, and the repetition that another of its kind right behind it makes longer.
        var last: UInt8 = 8
        var repetition: (length: UInt8, count: Int)?
        while lengths.count < alphabetSize, room > 0 {
            guard let symbol = lengthCode.symbol(&reader) else { return nil }
            var (length, count) = (UInt8(truncatingIfNeeded: symbol), 1)
            if symbol < 16 {
                repetition = nil
                if length > 0 { last = length }
            } else {
                length = symbol == 16 ? last : 0
                let bits = symbol - 14
                guard let more = reader.bits(bits) else { return nil }
                let before = repetition.flatMap { $0.length == length ? $0.count : nil } ?? 0
                let total = (before > 0 ? (before - 2) << bits : 0) + more + 3
                guard total - before <= alphabetSize - lengths.count else { return nil }
                repetition = (length, total)
                count = total - before
            }
            lengths.append(contentsOf: repeatElement(length, count: count))
            if length > 0 { room -= count << (longest - Int(length)) }
        }
        guard room == 0 else { return nil }
        lengths.append(contentsOf: repeatElement(0, count: alphabetSize - lengths.count))
        return lengths
    }

    /// The code that the lengths are in.
    private static func lengthCode(_ reader: inout JXLBitReader, skipping: Int) -> JXLPrefixCode? {
        var lengths = [UInt8](repeating: 0, count: 18)
        var room = 32
        let order = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]
        for symbol in order[skipping...] where room > 0 {
            guard var length = reader.bits(2) else { return nil }
            if length < 3 {
                length = [0, 4, 3][length]
            } else {
                guard let isShorterOrLonger = reader.flag() else { return nil }
                length = 2
                if isShorterOrLonger {
                    guard let isLongest = reader.flag() else { return nil }
                    length = isLongest ? 5 : 1
                }
            }
            lengths[symbol] = UInt8(length)
            if length > 0 { room -= 32 >> length }
        }
        guard room == 0 || lengths.count(where: { $0 > 0 }) == 1 else { return nil }
        return JXLPrefixCode(lengths: lengths)
    }
}
#endif
