import Synchronization

/// A Huffman table as in the file: the number of codes of each length from 1 to 16 bits, and the symbols in the order
/// of their codes (ITU-T T.81, B.2.4.2).
struct JPEGCodeLengths: Equatable {
    var counts: [Int]
    var symbols: [UInt8]
}

/// The Huffman codes of a scan as lookup tables for the next bits (ITU-T T.81, annex F.2.2).
///
/// Tables 0 to 3 are for means (DC coefficients), 4 to 7 for the others (AC coefficients).
struct JPEGCodes {
    /// The number of bits that are looked up at once. With fewer, fewer pairs of codes fit; with more, the tables do
    /// not fit in the processor's first-level cache.
    static let lookupBits = 11
    /// The number of bits for lookups that skip coefficients.
    static let skipLookupBits = 12

    /// The first code for each table and next bits: its symbol (from bit 8 on) and its length; 0 for a longer code.
    private(set) var symbols = [UInt16](repeating: 0, count: 8 << lookupBits)
    /// One or two coefficients, and possibly the end of the block after them, for each AC table and next bits.
    ///
    /// The fields of an entry from the lowest bit: the number of bits (8), the offsets of the first and second
    /// coefficient from the current position (8 each), the number of positions to advance (8, plus `endFlag` for an end
    /// of block), and the two values (16 each). Without a second coefficient it repeats the first. 0 if the codes do
    /// not fit in the lookup.
    private(set) var pairs = [UInt64](repeating: 0, count: 4 << lookupBits)
    /// The coefficients to skip for each AC table and next bits: the number of bits (5), whether they end the block
    /// (bit 5), and the number of coefficients (from bit 6 on).
    private(set) var skips: [UInt16] = []
    private var definitions: [JPEGCodeLengths?] = Array(repeating: nil, count: 8)
    private var hasPairs = [Bool](repeating: false, count: 8)
    /// The symbols of all tables, 256 for each.
    private var allSymbols = [UInt8](repeating: 0, count: 8 << 8)
    /// The largest code for each table and length, or -1; and the number that turns a code into the index of its
    /// symbol.
    private var maximumCodes = [Int](repeating: -1, count: 8 * 17)
    private var symbolOffsets = [Int](repeating: 0, count: 8 * 17)

    /// The tables of the last single-scan image. Most files have the standard tables, which take longer to build than a
    /// small image to decode.
    static let cached = Mutex(JPEGCodes())

    /// The number that an end of block adds to the positions to advance.
    static let endFlag = 128

    /// The index in row order of each coefficient in zigzag order. The extra entries are for two runs of zeros that
    /// exceed the block.
    static let order: [UInt8] =
        [
            0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
            14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
            53, 60, 61, 54, 47, 55, 62, 63,
        ] + Array(repeating: 63, count: 32)

    /// Builds a table, unless it has these codes already.
    ///
    /// - Parameter usesPairs: whether pairs of coefficients save more time than they take to find.
    mutating func define(_ table: Int, _ lengths: JPEGCodeLengths?, usesPairs: Bool) throws(JPEGStop) {
        guard let lengths else { throw .irregular }
        guard definitions[table] != lengths || (usesPairs && !hasPairs[table]) else { return }
        skips = []
        let start = table << Self.lookupBits
        for index in start..<(start + 1 << Self.lookupBits) { symbols[index] = 0 }
        var (code, position) = (0, 0)
        for length in 1...16 {
            let count = lengths.counts[length - 1]
            guard code + count <= 1 << length else { throw .irregular }
            symbolOffsets[17 * table + length] = table << 8 + position - code
            maximumCodes[17 * table + length] = count > 0 ? code + count - 1 : -1
            for symbol in lengths.symbols[position..<(position + count)] {
                guard table >= 4 || symbol <= 15 else { throw .irregular }
                if length <= Self.lookupBits {
                    let spare = Self.lookupBits - length
                    let word = UInt16(symbol) << 8 | UInt16(length)
                    for index in (start + code << spare)..<(start + (code + 1) << spare) { symbols[index] = word }
                }
                allSymbols[table << 8 + position] = symbol
                code += 1
                position += 1
            }
            code <<= 1
        }
        definitions[table] = lengths
        hasPairs[table] = usesPairs
        if table >= 4 { definePairs(table, usesPairs) }
    }

    private mutating func definePairs(_ table: Int, _ usesPairs: Bool) {
        let count = 1 << Self.lookupBits
        let singles = (0..<count).map { bits in makeSingle(symbols[table * count + bits], bits) }
        guard usesPairs else {
            pairs.replaceSubrange(((table - 4) * count)..<((table - 3) * count), with: singles)
            return
        }
        for bits in 0..<count {
            var word = singles[bits]
            var isPaired = false
            while word != 0, Self.advance(word) < Self.endFlag {
                let length = Int(word & 255)
                let next = singles[bits << length & (count - 1)]
                let isEnd = Self.advance(next) == Self.endFlag
                if next == 0 || length + Int(next & 255) > Self.lookupBits || (isPaired && !isEnd) { break }
                let advance = UInt64(Self.advance(word) + Self.advance(next))
                if !isEnd {
                    let second = UInt64(Self.advance(word)) + next >> 8 & 255
                    word = word & 0xFFFF_0000_FFFF | second << 16 | next & ~0xFFFF_FFFF_FFFF
                    isPaired = true
                }
                word = word & ~0xFF00_00FF | UInt64(length) + next & 255 | advance << 24
            }
            pairs[(table - 4) * count + bits] = word
        }
    }

    private static func advance(_ word: UInt64) -> Int { Int(word >> 24 & 255) }

    /// Returns the entry of one coefficient or of an end of block.
    private func makeSingle(_ entry: UInt16, _ bits: Int) -> UInt64 {
        let (symbol, length) = (Int(entry >> 8), Int(entry & 255))
        let (run, size) = (symbol >> 4, symbol & 15)
        let spare = Self.lookupBits - length - size
        guard length > 0, spare >= 0, size > 0 || run == 0 || run == 15 else { return 0 }
        var value = bits >> spare & (1 << size - 1)
        if value < (1 << size) >> 1 { value += 1 - 1 << size }
        let places = UInt64(run) << 8 | UInt64(run) << 16 | UInt64(symbol == 0 ? Self.endFlag : run + 1) << 24
        let pattern = UInt64(UInt16(truncatingIfNeeded: value))
        return UInt64(length + size) | places | pattern << 32 | pattern << 48
    }

    /// Builds the tables for skipping coefficients.
    mutating func defineSkips() {
        guard skips.isEmpty else { return }
        skips = [UInt16](repeating: 0, count: 4 << Self.skipLookupBits)
        for table in 4..<8 where definitions[table] != nil {
            for bits in 0..<(1 << Self.skipLookupBits) {
                var (taken, count, isLast) = (0, 0, false)
                // Only the code must fit in the lookup; its value need not.
                while taken < Self.skipLookupBits, !isLast {
                    guard let (symbol, length) = find(table, bits << (16 - Self.skipLookupBits + taken) & 0xFFFF),
                        taken + length <= Self.skipLookupBits
                    else { break }
                    let (run, size) = (symbol >> 4, symbol & 15)
                    if size == 0, run != 0, run != 15 { break }
                    isLast = symbol == 0
                    taken += length + size
                    count += isLast ? 0 : run + 1
                }
                skips[(table - 4) << Self.skipLookupBits | bits] = UInt16(taken | (isLast ? 32 : 0) | count << 6)
            }
        }
    }

    /// Returns the symbol and the length of the code at the start of 16 bits.
    @inline(never)
    func find(_ table: Int, _ bits: Int) -> (symbol: Int, length: Int)? {
        for length in 1...16 {
            let code = bits >> (16 - length)
            if code <= maximumCodes[17 * table + length] {
                return (Int(allSymbols[code + symbolOffsets[17 * table + length]]), length)
            }
        }
        return nil
    }
}
