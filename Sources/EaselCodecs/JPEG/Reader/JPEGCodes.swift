import Synchronization

/// A table of Huffman codes as a file has it: how many codes there are of each length from 1 to 16 bits, and what they stand
/// for (ITU-T T.81, B.2.4.2).
struct JPEGCodeLengths: Equatable {
    var counts: [Int]
    var symbols: [UInt8]
}

/// The Huffman codes of a scan, as tables of what the next bits mean (ITU-T T.81, annex F.2.2).
///
/// Tables 0 to 3 are those of means, 4 to 7 those of the other coefficients.
struct JPEGCodes {
    /// The bits that are looked up at once. With fewer, fewer pairs are in sight; with more, the tables fill the processor's first
    /// cache.
    static let look = 11
    /// The same number for lookups that skip values.
    static let farLook = 12

    /// For each table and the next bits, the first code: its symbol (from bit 8 on) and its length; 0 for a longer code.
    private(set) var symbols = [UInt16](repeating: 0, count: 8 << look)
    /// For each table of coefficients and the next bits, one coefficient or two, and an end of the block after them.
    ///
    /// A word of: the bits that it takes (8), the places of the coefficients, from this one on (8 each), how many places it leads
    /// on (8, with `ended` added for an end), and the values (16 each). Without a second coefficient it is the first once more. 0
    /// for what is not all in sight.
    private(set) var pairs = [UInt64](repeating: 0, count: 4 << look)
    /// For each table of coefficients and the next bits, what can be passed over: bits (5), whether it ends the block (bit 5) and
    /// coefficients (from bit 6 on).
    private(set) var skips: [UInt16] = []
    private var known: [JPEGCodeLengths?] = Array(repeating: nil, count: 8)
    private var hasPairs = [Bool](repeating: false, count: 8)
    /// The symbols of all tables, 256 for each.
    private var allSymbols = [UInt8](repeating: 0, count: 8 << 8)
    /// For each table and length the greatest code, or -1, and what a code is to be added to, to be its symbol's place.
    private var most = [Int](repeating: -1, count: 8 * 17)
    private var first = [Int](repeating: 0, count: 8 * 17)

    /// The tables of the last image of one scan: most files have the standard's, which take longer to make than a small image.
    static let last = Mutex(JPEGCodes())

    /// What is added to the step by an end of the block.
    static let ended = 128

    /// Row by row, where the coefficients of a file belong. A few places more, because two runs of zeros may lead too far.
    static let order: [UInt8] =
        [
            0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
            14,
            21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53,
            60, 61, 54, 47, 55, 62, 63,
        ] + Array(repeating: 63, count: 32)

    /// Makes a table, unless it was made of the same codes already.
    ///
    /// - Parameter isWorthPairs: whether looking for pairs saves more time than it takes.
    mutating func define(_ table: Int, _ lengths: JPEGCodeLengths?, isWorthPairs: Bool) throws(JPEGStop) {
        guard let lengths else { throw .irregular }
        guard known[table] != lengths || (isWorthPairs && !hasPairs[table]) else { return }
        skips = []
        let start = table << Self.look
        for index in start..<(start + 1 << Self.look) { symbols[index] = 0 }
        var (code, place) = (0, 0)
        for length in 1...16 {
            let count = lengths.counts[length - 1]
            guard code + count <= 1 << length else { throw .irregular }
            first[17 * table + length] = table << 8 + place - code
            most[17 * table + length] = count > 0 ? code + count - 1 : -1
            for symbol in lengths.symbols[place..<(place + count)] {
                guard table >= 4 || symbol <= 15 else { throw .irregular }
                if length <= Self.look {
                    let spare = Self.look - length
                    let word = UInt16(symbol) << 8 | UInt16(length)
                    for index in (start + code << spare)..<(start + (code + 1) << spare) { symbols[index] = word }
                }
                allSymbols[table << 8 + place] = symbol
                code += 1
                place += 1
            }
            code <<= 1
        }
        known[table] = lengths
        hasPairs[table] = isWorthPairs
        if table >= 4 { definePairs(table, isWorthPairs) }
    }

    private mutating func definePairs(_ table: Int, _ isWorthPairs: Bool) {
        let count = 1 << Self.look
        let singles = (0..<count).map { bits in single(symbols[table * count + bits], bits) }
        guard isWorthPairs else {
            pairs.replaceSubrange(((table - 4) * count)..<((table - 3) * count), with: singles)
            return
        }
        for bits in 0..<count {
            var word = singles[bits]
            var isPaired = false
            while word != 0, Self.step(word) < Self.ended {
                let length = Int(word & 255)
                let next = singles[bits << length & (count - 1)]
                let isEnd = Self.step(next) == Self.ended
                if next == 0 || length + Int(next & 255) > Self.look || (isPaired && !isEnd) { break }
                let step = UInt64(Self.step(word) + Self.step(next))
                if !isEnd {
                    let second = UInt64(Self.step(word)) + next >> 8 & 255
                    word = word & 0xFFFF_0000_FFFF | second << 16 | next & ~0xFFFF_FFFF_FFFF
                    isPaired = true
                }
                word = word & ~0xFF00_00FF | UInt64(length) + next & 255 | step << 24
            }
            pairs[(table - 4) * count + bits] = word
        }
    }

    private static func step(_ word: UInt64) -> Int { Int(word >> 24 & 255) }

    /// The word of one coefficient, or of an end.
    private func single(_ entry: UInt16, _ bits: Int) -> UInt64 {
        let (symbol, length) = (Int(entry >> 8), Int(entry & 255))
        let (run, size) = (symbol >> 4, symbol & 15)
        let spare = Self.look - length - size
        guard length > 0, spare >= 0, size > 0 || run == 0 || run == 15 else { return 0 }
        var value = bits >> spare & (1 << size - 1)
        if value < (1 << size) >> 1 { value += 1 - 1 << size }
        let places = UInt64(run) << 8 | UInt64(run) << 16 | UInt64(symbol == 0 ? Self.ended : run + 1) << 24
        let pattern = UInt64(UInt16(truncatingIfNeeded: value))
        return UInt64(length + size) | places | pattern << 32 | pattern << 48
    }

    /// Makes the words for passing over coefficients.
    mutating func defineSkips() {
        guard skips.isEmpty else { return }
        skips = [UInt16](repeating: 0, count: 4 << Self.farLook)
        for table in 4..<8 where known[table] != nil {
            for bits in 0..<(1 << Self.farLook) {
                var (taken, count, isLast) = (0, 0, false)
                // As long as the next code itself is in sight: its value need not be.
                while taken < Self.farLook, !isLast {
                    guard let (symbol, length) = find(table, bits << (16 - Self.farLook + taken) & 0xFFFF),
                        taken + length <= Self.farLook
                    else { break }
                    let (run, size) = (symbol >> 4, symbol & 15)
                    if size == 0, run != 0, run != 15 { break }
                    isLast = symbol == 0
                    taken += length + size
                    count += isLast ? 0 : run + 1
                }
                skips[(table - 4) << Self.farLook | bits] = UInt16(taken | (isLast ? 32 : 0) | count << 6)
            }
        }
    }

    /// The symbol and the length of the code with which 16 bits begin.
    @inline(never)
    func find(_ table: Int, _ bits: Int) -> (symbol: Int, length: Int)? {
        for length in 1...16 {
            let code = bits >> (16 - length)
            if code <= most[17 * table + length] {
                return (Int(allSymbols[code + first[17 * table + length]]), length)
            }
        }
        return nil
    }
}
