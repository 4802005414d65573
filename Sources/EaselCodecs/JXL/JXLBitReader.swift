#if JXL
/// The bits of a JPEG XL's codestream, the lowest of each byte first (ISO/IEC 18181-1, annex B). Beyond the end all is `nil`.
struct JXLBitReader {
    private let bytes: [UInt8]
    /// Bits that have been read.
    private(set) var position: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Bytes that have been begun.
    var byteCount: Int { (position + 7) / 8 }

    /// A number of up to 32 bits.
    mutating func bits(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        let first = position >> 3
        for index in first..<((position + count + 7) >> 3) { value |= Int(bytes[index]) << ((index - first) * 8) }
        defer { position += count }
        return value >> (position & 7) & (1 << count - 1)
    }

    /// Passes over numbers that do not matter.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= bytes.count * 8 - position else { return false }
        position += count
        return true
    }

    mutating func skipToByte() { position = byteCount * 8 }

    mutating func flag() -> Bool? { bits(1).map { $0 == 1 } }

    /// One of a list of names.
    mutating func enumerator() -> Int? { number((0, 0), (0, 1), (4, 2), (6, 18)) }

    /// One of four ways to write a number: so many bits, added to an offset.
    mutating func number(_ ways: (bits: Int, offset: Int)...) -> Int? {
        number(ways)
    }

    mutating func number(_ ways: [(bits: Int, offset: Int)]) -> Int? {
        guard let way = bits(2), let value = bits(ways[way].bits) else { return nil }
        return value + ways[way].offset
    }

    /// A number of up to 64 bits; `nil` for more than 32, which nothing needs.
    mutating func longNumber() -> Int? {
        guard let way = bits(2) else { return nil }
        guard way == 3 else { return bits([0, 4, 8][way]).map { $0 + [0, 1, 17][way] } }
        guard var value = bits(12) else { return nil }
        for shift in [12, 20] {
            guard let goesOn = flag() else { return nil }
            guard goesOn else { return value }
            guard let byte = bits(8) else { return nil }
            value |= byte << shift
        }
        return flag() == false ? value : nil
    }

    /// A name in UTF-8. Returns whether it is there.
    mutating func skipName() -> Bool {
        guard let length = number((0, 0), (4, 0), (5, 16), (10, 48)) else { return false }
        return skip(length * 8)
    }
}
#endif
