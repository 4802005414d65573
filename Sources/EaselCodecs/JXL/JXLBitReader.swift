#if JXL
/// The bits of a JPEG XL's codestream, the lowest of each byte first (ISO/IEC 18181-1, annex B). Beyond the end all is `nil`.
struct JXLBitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// A number of up to 32 bits.
    mutating func bits(_ count: Int) -> Int? {
        guard position + count <= bytes.count * 8 else { return nil }
        var value = 0
        for index in 0..<count {
            let place = position + index
            value |= Int(bytes[place >> 3] >> UInt8(place & 7) & 1) << index
        }
        position += count
        return value
    }

    mutating func flag() -> Bool? { bits(1).map { $0 == 1 } }

    /// One of a list of names.
    mutating func enumerator() -> Int? { number((0, 0), (0, 1), (4, 2), (6, 18)) }

    /// One of four ways to write a number: so many bits, added to an offset.
    mutating func number(_ ways: (bits: Int, offset: Int)...) -> Int? {
        guard let way = bits(2), let value = bits(ways[way].bits) else { return nil }
        return value + ways[way].offset
    }
}
#endif
