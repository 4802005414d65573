/// Decoding of the coefficients of a block.
extension JPEGCodes {
    /// A range of the coefficients of a block, and how a scan codes them.
    struct Band {
        /// The Huffman table, 4 to 7.
        var table: Int
        /// The position of the first coefficient in zigzag order, and the position after the last.
        var first = 1
        var end = 64
        /// The number of low bits that later scans send.
        var low = 0
        /// Whether a code may end several blocks at once.
        var isProgressive = false
    }

    /// The number of table lookups that one fill suffices for.
    private static let lookupsPerFill = 5

    /// Reads the difference of the next mean from the last one. Returns `nil` if no code matches.
    @inline(__always)
    func takeDifference(
        _ bits: inout JPEGBits, _ data: RawSpan, table: Int, _ symbols: Span<UInt16>
    ) -> Int? {
        bits.fill(data)
        guard let symbol = takeSymbol(&bits, table, symbols) else { return nil }
        return bits.takeValue(symbol)
    }

    /// Reads the next symbol. Requires 16 available bits.
    @inline(__always)
    func takeSymbol(_ bits: inout JPEGBits, _ table: Int, _ symbols: Span<UInt16>) -> Int? {
        let entry = symbols[table &<< Self.lookupBits &+ bits.top(Self.lookupBits)]
        if entry != 0 {
            bits.drop(Int(entry & 255))
            return Int(entry &>> 8)
        }
        guard let (symbol, length) = find(table, bits.top(16)) else { return nil }
        bits.drop(length)
        return symbol
    }

    /// Decodes a band of a block, whose coefficients are 0 there. Returns the position after the last coefficient, or
    /// `nil` for invalid data.
    ///
    /// - Parameters:
    ///   - block: 64 coefficients in row order.
    ///   - filled: a bit mask of the coefficients in zigzag order that are not 0. Updated.
    ///   - endOfBandRun: the number of following blocks that have no further coefficients.
    @inline(__always)
    func decode(
        _ band: Band, _ bits: inout JPEGBits, _ data: RawSpan, _ pairs: Span<UInt64>, _ symbols: Span<UInt16>,
        _ order: Span<UInt8>, into block: UnsafeMutablePointer<Int16>, marking filled: inout UInt64,
        endOfBandRun: inout Int
    ) -> Int? {
        let base = (band.table &- 4) &<< Self.lookupBits
        var position = band.first
        while true {
            bits.fill(data)
            for _ in 0..<Self.lookupsPerFill {
                let pair = pairs[base &+ bits.top(Self.lookupBits)]
                let first = position &+ Int(truncatingIfNeeded: pair &>> 8 & 255)
                let second = position &+ Int(truncatingIfNeeded: pair &>> 16 & 255)
                // A sequential block has no later coefficients that the second one could overwrite.
                if band.isProgressive, second >= band.end { break }
                let (value, next) = (
                    Int16(truncatingIfNeeded: pair &>> 32), Int16(truncatingIfNeeded: pair &>> 48)
                )
                // The second is written first: if the first is the last of the block, the second is not part of it and
                // is overwritten.
                block[Int(order[second] & 63)] = next &<< Int16(band.low)
                block[Int(order[first] & 63)] = value &<< Int16(band.low)
                if band.isProgressive {
                    filled |= (next == 0 ? 0 : 1) &<< UInt64(second) | (value == 0 ? 0 : 1) &<< UInt64(first)
                }
                let step = Int(truncatingIfNeeded: pair &>> 24 & 255)
                let (length, before) = (Int(truncatingIfNeeded: pair & 255), bits.word)
                bits.drop(length)
                position &+= step
                if position < band.end, pair != 0 { continue }
                if position == band.end || (position >= Self.endFlag && position < Self.endFlag &+ band.end) {
                    return position & (Self.endFlag &- 1)
                }
                // Some of the bits may belong to the next block.
                bits.restore(before, length)
                position &-= step
                break
            }
            // Handles codes that are longer than one lookup, and the end of a block.
            bits.fill(data)
            guard let symbol = takeSymbol(&bits, band.table, symbols) else { return nil }
            let (run, size) = (symbol &>> 4, symbol & 15)
            if size == 0, run < 15 {
                guard run == 0 || band.isProgressive else { return nil }
                endOfBandRun = 1 &<< run &+ bits.top(run) &- 1
                bits.drop(run)
                return position
            }
            let value = bits.takeValue(size)
            position &+= run
            guard position < band.end, size &+ band.low <= 15 else { return nil }
            block[Int(order[position] & 63)] = Int16(truncatingIfNeeded: value &<< band.low)
            filled |= (size == 0 ? 0 : 1) &<< UInt64(position)
            position &+= 1
            if position == band.end { return position }
        }
    }

    /// Skips the coefficients after a block's mean. Returns the position that it reached.
    @inline(__always)
    func skip(_ bits: inout JPEGBits, _ data: RawSpan, table: Int, _ skips: Span<UInt16>) -> Int {
        let base = (table &- 4) &<< Self.skipLookupBits
        var position = 1
        while true {
            bits.fill(data)
            // A lookup takes at most 12 + 15 bits.
            for _ in 0..<2 {
                let skip = Int(skips[base &+ bits.top(Self.skipLookupBits)])
                let next = position &+ skip &>> 6
                let last = skip &>> 5 & 1
                // An entry that goes beyond the block includes codes of the next one.
                if next &+ last > 64 || skip == 0 { return position }
                bits.drop(skip & 31)
                position = next
                if last != 0 || position == 64 { return 64 }
            }
        }
    }

    /// Decodes the next bit of a band that earlier scans began (ITU-T T.81, G.1.2.3). Returns whether the data is
    /// valid.
    @inline(__always)
    func refine(
        _ band: Band, _ bits: inout JPEGBits, _ data: RawSpan, _ symbols: Span<UInt16>, _ order: Span<UInt8>,
        _ block: UnsafeMutablePointer<Int16>, marking filled: inout UInt64, endOfBandRun: inout Int
    ) -> Bool {
        let step = Int16(1) &<< Int16(band.low)
        let before = filled
        // A copy, so that the bits stay in registers.
        var next = bits
        var marks = before
        var rest = (UInt64.max << UInt64(band.first)) & (UInt64.max >> UInt64(64 - band.end))
        while rest != 0, endOfBandRun == 0 {
            next.fill(data)
            guard let symbol = takeSymbol(&next, band.table, symbols) else { return false }
            let (run, size) = (symbol &>> 4, symbol & 15)
            guard size <= 1 else { return false }
            if size == 0, run < 15 {
                endOfBandRun = 1 &<< run &+ next.top(run)
                next.drop(run)
                break
            }
            let sign = Int16(truncatingIfNeeded: next.top(size) &- 1)
            next.drop(size)
            // Finds the position after `run` zeros. Coefficients on the way that are not zero are refined.
            var zeros = rest & ~before
            var left = run
            while left > 0 {
                zeros &= zeros &- 1
                left &-= 1
            }
            guard zeros != 0 else { return false }
            let position = zeros & (0 &- zeros)
            Self.refine(&next, data, block, rest & before & (position &- 1), step, order)
            if size > 0 {
                block[Int(order[position.trailingZeroBitCount] & 63)] = (step ^ sign) &- sign
                marks |= position
            }
            rest &= ~(position | (position &- 1))
        }
        if endOfBandRun > 0 {
            Self.refine(&next, data, block, rest & before, step, order)
            endOfBandRun &-= 1
        }
        bits = next
        filled = marks
        return true
    }

    /// Reads a bit for each of these coefficients, and moves those with a 1 away from zero by `step`.
    @inline(__always)
    private static func refine(
        _ bits: inout JPEGBits, _ data: RawSpan, _ block: UnsafeMutablePointer<Int16>, _ positions: UInt64,
        _ step: Int16, _ order: Span<UInt8>
    ) {
        var positions = positions
        while positions != 0 {
            bits.fill(data)
            var used = 0
            while positions != 0, used < 56 {
                let at = Int(order[positions.trailingZeroBitCount] & 63)
                let value = block[at]
                // Without branches, which cannot be predicted: the masks have all bits set for yes.
                let isNegative = value &>> 15
                let isLarger = 0 &- Int16(truncatingIfNeeded: bits.word &>> UInt64(63 &- used) & 1)
                block[at] = value &+ ((step ^ isNegative) &- isNegative) & isLarger
                used &+= 1
                positions &= positions &- 1
            }
            bits.drop(used)
        }
    }
}
