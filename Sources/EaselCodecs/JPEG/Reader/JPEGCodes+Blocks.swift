/// The coefficients of one block.
extension JPEGCodes {
    /// A band of the coefficients of a block.
    struct Band {
        /// The table of its codes, 4 to 7.
        var table: Int
        /// The place of its first coefficient in the order of files, and that after its last.
        var first = 1
        var end = 64
        /// The bits that are held back.
        var low = 0
        /// Whether it may end several blocks at once.
        var isProgressive = false
    }

    /// Looks between two fills, without a test for each.
    private static let looks = 5

    /// The next mean's difference from the one before; `nil` without a code for it.
    @inline(__always)
    func takeDifference(
        _ bits: inout JPEGBits, _ data: RawSpan, table: Int, _ symbols: Span<UInt16>
    ) -> Int? {
        bits.fill(data)
        guard let symbol = takeSymbol(&bits, table, symbols) else { return nil }
        return bits.takeValue(symbol)
    }

    /// The next symbol. At least 16 bits are available.
    @inline(__always)
    func takeSymbol(_ bits: inout JPEGBits, _ table: Int, _ symbols: Span<UInt16>) -> Int? {
        let entry = symbols[table &<< Self.look &+ bits.top(Self.look)]
        if entry != 0 {
            bits.drop(Int(entry & 255))
            return Int(entry &>> 8)
        }
        guard let (symbol, length) = find(table, bits.top(16)) else { return nil }
        bits.drop(length)
        return symbol
    }

    /// Decodes a band of a block whose coefficients there are 0. Returns the place after the last coefficient; `nil` for what makes
    /// no sense.
    ///
    /// - Parameters:
    ///   - block: 64 coefficients, row by row.
    ///   - filled: where a bit is set for each coefficient, in the order of files, that is not 0.
    ///   - ended: the blocks to come that end before they begin.
    @inline(__always)
    func decode(
        _ band: Band, _ bits: inout JPEGBits, _ data: RawSpan, _ pairs: Span<UInt64>, _ symbols: Span<UInt16>,
        _ order: Span<UInt8>, into block: UnsafeMutablePointer<Int16>, marking filled: inout UInt64, ended: inout Int
    ) -> Int? {
        let base = (band.table &- 4) &<< Self.look
        var place = band.first
        while true {
            bits.fill(data)
            for _ in 0..<Self.looks {
                let pair = pairs[base &+ bits.top(Self.look)]
                let first = place &+ Int(truncatingIfNeeded: pair &>> 8 & 255)
                let second = place &+ Int(truncatingIfNeeded: pair &>> 16 & 255)
                // In a whole block there is nothing after the last place that could be overwritten.
                if band.isProgressive, second >= band.end { break }
                let (value, next) = (
                    Int16(truncatingIfNeeded: pair &>> 32), Int16(truncatingIfNeeded: pair &>> 48)
                )
                // The second comes first: if the first is the block's last, what follows is overwritten.
                block[Int(order[second] & 63)] = next &<< Int16(band.low)
                block[Int(order[first] & 63)] = value &<< Int16(band.low)
                if band.isProgressive {
                    filled |= (next == 0 ? 0 : 1) &<< UInt64(second) | (value == 0 ? 0 : 1) &<< UInt64(first)
                }
                let step = Int(truncatingIfNeeded: pair &>> 24 & 255)
                let (length, before) = (Int(truncatingIfNeeded: pair & 255), bits.word)
                bits.drop(length)
                place &+= step
                if place < band.end, pair != 0 { continue }
                if place == band.end || (place >= Self.ended && place < Self.ended &+ band.end) {
                    return place & (Self.ended &- 1)
                }
                // Some of it may be the next block's.
                bits.restore(before, length)
                place &-= step
                break
            }
            // What is not all in sight of one look, and what comes last in a block.
            bits.fill(data)
            guard let symbol = takeSymbol(&bits, band.table, symbols) else { return nil }
            let (run, size) = (symbol &>> 4, symbol & 15)
            if size == 0, run < 15 {
                guard run == 0 || band.isProgressive else { return nil }
                ended = 1 &<< run &+ bits.top(run) &- 1
                bits.drop(run)
                return place
            }
            let value = bits.takeValue(size)
            place &+= run
            guard place < band.end, size &+ band.low <= 15 else { return nil }
            block[Int(order[place] & 63)] = Int16(truncatingIfNeeded: value &<< band.low)
            filled |= (size == 0 ? 0 : 1) &<< UInt64(place)
            place &+= 1
            if place == band.end { return place }
        }
    }

    /// Passes over the coefficients after a block's mean. Returns the place up to which it came.
    @inline(__always)
    func pass(_ bits: inout JPEGBits, _ data: RawSpan, table: Int, _ skips: Span<UInt16>) -> Int {
        let base = (table &- 4) &<< Self.farLook
        var place = 1
        while true {
            bits.fill(data)
            // A lookup takes at most 12 + 15 bits.
            for _ in 0..<2 {
                let skip = Int(skips[base &+ bits.top(Self.farLook)])
                let next = place &+ skip &>> 6
                let last = skip &>> 5 & 1
                // What goes beyond the block looked at the next one.
                if next &+ last > 64 || skip == 0 { return place }
                bits.drop(skip & 31)
                place = next
                if last != 0 || place == 64 { return 64 }
            }
        }
    }

    /// Decodes the next bit of a band that earlier scans decoded (ITU-T T.81, G.1.2.3). Returns whether it makes sense.
    @inline(__always)
    func refine(
        _ band: Band, _ bits: inout JPEGBits, _ data: RawSpan, _ symbols: Span<UInt16>, _ order: Span<UInt8>,
        _ block: UnsafeMutablePointer<Int16>, marking filled: inout UInt64, ended: inout Int
    ) -> Bool {
        let step = Int16(1) &<< Int16(band.low)
        let before = filled
        // A copy, so that the bits need not be in memory.
        var next = bits
        var marks = before
        var rest = (UInt64.max << UInt64(band.first)) & (UInt64.max >> UInt64(64 - band.end))
        while rest != 0, ended == 0 {
            next.fill(data)
            guard let symbol = takeSymbol(&next, band.table, symbols) else { return false }
            let (run, size) = (symbol &>> 4, symbol & 15)
            guard size <= 1 else { return false }
            if size == 0, run < 15 {
                ended = 1 &<< run &+ next.top(run)
                next.drop(run)
                break
            }
            let sign = Int16(truncatingIfNeeded: next.top(size) &- 1)
            next.drop(size)
            // After so many zeros; what is passed over and not zero is refined.
            var zeros = rest & ~before
            var left = run
            while left > 0 {
                zeros &= zeros &- 1
                left &-= 1
            }
            guard zeros != 0 else { return false }
            let place = zeros & (0 &- zeros)
            Self.refine(&next, data, block, rest & before & (place &- 1), step, order)
            if size > 0 {
                block[Int(order[place.trailingZeroBitCount] & 63)] = (step ^ sign) &- sign
                marks |= place
            }
            rest &= ~(place | (place &- 1))
        }
        if ended > 0 {
            Self.refine(&next, data, block, rest & before, step, order)
            ended &-= 1
        }
        bits = next
        filled = marks
        return true
    }

    /// A bit for each of these coefficients, which says whether it becomes larger by `step`.
    @inline(__always)
    private static func refine(
        _ bits: inout JPEGBits, _ data: RawSpan, _ block: UnsafeMutablePointer<Int16>, _ places: UInt64, _ step: Int16,
        _ order: Span<UInt8>
    ) {
        var places = places
        while places != 0 {
            bits.fill(data)
            var used = 0
            while places != 0, used < 56 {
                let at = Int(order[places.trailingZeroBitCount] & 63)
                let value = block[at]
                // Without branches, which nothing foretells: all bits of these are 1 for yes.
                let isNegative = value &>> 15
                let isLarger = 0 &- Int16(truncatingIfNeeded: bits.word &>> UInt64(63 &- used) & 1)
                block[at] = value &+ ((step ^ isNegative) &- isNegative) & isLarger
                used &+= 1
                places &= places &- 1
            }
            bits.drop(used)
        }
    }
}
