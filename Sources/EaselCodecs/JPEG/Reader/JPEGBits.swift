/// The bits of a scan's data, those that come next on top.
struct JPEGBits {
    /// Below `count` bits may be some of the bytes at `next`.
    private(set) var word: UInt64 = 0
    private(set) var count = 0
    /// Of `count`: zeros, because the data has ended.
    private(set) var madeUp = 0
    /// The offset of the next byte of the file.
    private(set) var next: Int

    init(at next: Int) { self.next = next }

    /// Whether bits were used that are not there.
    var isExhausted: Bool { count < madeUp }

    /// Makes at least 56 bits available, and at most 63.
    @inline(__always)
    mutating func fill(_ data: RawSpan) {
        if next &+ 8 <= data.byteCount {
            let loaded = data.unsafeLoadUnaligned(fromByteOffset: next, as: UInt64.self).bigEndian
            // Whether no byte is 255, whose complement is the zero that a subtraction borrows from.
            if (~loaded &- 0x0101_0101_0101_0101) & loaded & 0x8080_8080_8080_8080 == 0 {
                word |= loaded &>> UInt64(truncatingIfNeeded: count)
                next &+= (63 &- count) &>> 3
                count |= 56
                return
            }
        }
        // A copy, so that these bits need not be in memory.
        var slow = self
        slow.fillSlowly(data)
        self = slow
    }

    /// Byte by byte, up to a marker. The zero after a 255 only says that this is none.
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
                madeUp += 8
            }
            count += 8
        }
    }

    /// The next `count` bits, 0 to 32.
    @inline(__always)
    func top(_ count: Int) -> Int {
        Int(truncatingIfNeeded: (word &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count))
    }

    @inline(__always)
    mutating func drop(_ count: Int) {
        word = word &<< UInt64(truncatingIfNeeded: count)
        self.count &-= count
    }

    /// Takes the next `size` bits, 0 to 16, as a number whose first bit is its sign (ITU-T T.81, F.2.2.1).
    @inline(__always)
    mutating func takeValue(_ size: Int) -> Int {
        let bits = top(size)
        drop(size)
        return bits < (1 &<< size) &>> 1 ? bits &+ 1 &- (1 &<< size) : bits
    }

    /// Takes back a `drop`, before which the bits were `word`.
    @inline(__always)
    mutating func restore(_ word: UInt64, _ count: Int) {
        self.word = word
        self.count &+= count
    }

    /// Passes a restart marker that comes next; `false` if something else does.
    @inline(never)
    mutating func passRestart(_ number: Int, _ data: RawSpan) -> Bool {
        guard count - madeUp < 8, next + 1 < data.byteCount,
            data.unsafeLoad(fromByteOffset: next, as: UInt8.self) == 0xFF,
            data.unsafeLoad(fromByteOffset: next + 1, as: UInt8.self) == 0xD0 + UInt8(number)
        else { return false }
        self = JPEGBits(at: next + 2)
        return true
    }
}

/// What decoding keeps from unit to unit of a scan: a value, so that a part can be decoded anew when more has come.
struct JPEGSegment {
    var bits: JPEGBits
    /// The last mean of each component.
    var means = SIMD4<Int32>()
    /// Blocks to come without coefficients (ITU-T T.81, G.1.2.2).
    var ended = 0
    private var untilRestart: Int
    private var restart = 0

    init(at offset: Int, restartInterval: Int) {
        bits = JPEGBits(at: offset)
        untilRestart = restartInterval
    }

    /// Passes a restart if one is due, before a unit. Returns whether there was one; `nil` if it is missing.
    @inline(__always)
    mutating func beginUnit(_ interval: Int, _ bits: inout JPEGBits, _ data: RawSpan) -> Bool? {
        guard interval > 0 else { return false }
        untilRestart &-= 1
        guard untilRestart < 0 else { return false }
        var restarted = bits
        guard !bits.isExhausted, restarted.passRestart(restart, data) else { return nil }
        bits = restarted
        means = SIMD4()
        ended = 0
        restart = (restart &+ 1) & 7
        untilRestart = interval &- 1
        return true
    }
}
