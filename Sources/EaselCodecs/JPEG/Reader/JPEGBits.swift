/// A reader of the bits of a scan's data. The next bits are the highest of `word`.
struct JPEGBits {
    /// The next bits. Bits below the first `count` may be those of the bytes at `next`.
    private(set) var word: UInt64 = 0
    private(set) var count = 0
    /// The number of zeros at the end of the `count` bits because the data has ended.
    private(set) var paddingBits = 0
    /// The offset of the next byte of the file.
    private(set) var next: Int

    init(at next: Int) { self.next = next }

    /// Whether bits beyond the end of the data were used.
    var isExhausted: Bool { count < paddingBits }

    /// Removes the zeros at the end, so that data that arrives later can follow. Requires that they were not used.
    mutating func removePadding() {
        count &-= paddingBits
        paddingBits = 0
    }

    /// Makes at least 56 bits available, and at most 63.
    @inline(__always)
    mutating func fill(_ data: RawSpan) {
        if next &+ 8 <= data.byteCount {
            let loaded = data.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self).bigEndian
            // Tests that no byte is 255: its complement is zero, from which the subtraction borrows.
            if (~loaded &- 0x0101_0101_0101_0101) & loaded & 0x8080_8080_8080_8080 == 0 {
                word |= loaded &>> UInt64(truncatingIfNeeded: count)
                next &+= (63 &- count) &>> 3
                count |= 56
                return
            }
        }
        // A copy, so that the properties of `self` stay in registers.
        var slow = self
        slow.fillSlowly(data)
        self = slow
    }

    /// Appends byte by byte up to a marker. A zero after 255 means that 255 is data.
    @inline(never)
    private mutating func fillSlowly(_ data: RawSpan) {
        while count < 56 {
            let byte = next < data.byteCount ? data.unsafeLoad(fromByteOffset: next, as: UInt8.self) : 255
            let isStuffed =
                byte == 255 && next + 1 < data.byteCount
                && data.unsafeLoad(fromByteOffset: next + 1, as: UInt8.self) == 0
            if byte != 255 || isStuffed {
                word |= UInt64(byte) << UInt64(56 - count)
                next += isStuffed ? 2 : 1
            } else {
                paddingBits += 8
            }
            count += 8
        }
    }

    /// Returns the next `count` bits, 0 to 32, without consuming them.
    @inline(__always)
    func top(_ count: Int) -> Int {
        Int(truncatingIfNeeded: (word &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count))
    }

    @inline(__always)
    mutating func drop(_ count: Int) {
        word = word &<< UInt64(truncatingIfNeeded: count)
        self.count &-= count
    }

    /// Reads a signed value of `size` bits, 0 to 16 (ITU-T T.81, F.2.2.1).
    @inline(__always)
    mutating func takeValue(_ size: Int) -> Int {
        let bits = top(size)
        drop(size)
        return bits < (1 &<< size) &>> 1 ? bits &+ 1 &- (1 &<< size) : bits
    }

    /// Reverts a `drop`, before which the bits were `word`.
    @inline(__always)
    mutating func restore(_ word: UInt64, _ count: Int) {
        self.word = word
        self.count &+= count
    }

    /// Consumes a restart marker with this number. Returns `false` if the next bytes are something else.
    @inline(never)
    mutating func consumeRestartMarker(_ number: Int, _ data: RawSpan) -> Bool {
        guard count - paddingBits < 8, next + 1 < data.byteCount,
            data.unsafeLoad(fromByteOffset: next, as: UInt8.self) == 0xFF,
            data.unsafeLoad(fromByteOffset: next + 1, as: UInt8.self) == 0xD0 + UInt8(number)
        else { return false }
        self = JPEGBits(at: next + 2)
        return true
    }
}

/// The state of decoding between units of a scan. As a value, it can be saved to decode again when more data has
/// arrived.
struct JPEGScanState {
    var bits: JPEGBits
    /// The last mean (DC coefficient) of each component.
    var means = SIMD4<Int32>()
    /// The number of following blocks without further coefficients: EOBRUN (ITU-T T.81, G.1.2.2).
    var endOfBandRun = 0
    private var unitsUntilRestart: Int
    private var restartNumber = 0

    init(at offset: Int, restartInterval: Int) {
        bits = JPEGBits(at: offset)
        unitsUntilRestart = restartInterval
    }

    /// Consumes a restart marker if one is due before the next unit. Returns whether it was due; `nil` if it is
    /// missing.
    @inline(__always)
    mutating func beginUnit(_ interval: Int, _ bits: inout JPEGBits, _ data: RawSpan) -> Bool? {
        guard interval > 0 else { return false }
        unitsUntilRestart &-= 1
        guard unitsUntilRestart < 0 else { return false }
        var restarted = bits
        guard !bits.isExhausted, restarted.consumeRestartMarker(restartNumber, data) else { return nil }
        bits = restarted
        means = SIMD4()
        endOfBandRun = 0
        restartNumber = (restartNumber &+ 1) & 7
        unitsUntilRestart = interval &- 1
        return true
    }
}
