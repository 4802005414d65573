#if JXL
import EaselCore

/// The bytes that a JPEG XL's profile is coded as, each by what the two before it are (ISO/IEC 18181-1, annex E).
struct JXLProfileBytes {
    private var reader: JXLBitReader
    private var numbers: JXLCodedNumbers
    /// Those that are still to come.
    private(set) var left: Int
    private var place = 0
    private var last: UInt8 = 0
    private var secondLast: UInt8 = 0

    /// - Parameter reader: where the profile begins.
    init?(_ reader: JXLBitReader) {
        var reader = reader
        guard let count = reader.longNumber(), let numbers = JXLCodedNumbers(&reader, contextCount: 41) else {
            return nil
        }
        self.reader = reader
        self.numbers = numbers
        left = count
    }

    mutating func next() -> UInt8? {
        guard left > 0 else { return nil }
        let context = place <= 128 ? 0 : 1 + Self.kind(last) + Self.roughKind(secondLast) * 8
        guard let number = numbers.next(context, &reader) else { return nil }
        left -= 1
        place += 1
        secondLast = last
        last = UInt8(truncatingIfNeeded: number)
        return last
    }

    mutating func next(_ count: Int) -> [UInt8]? {
        guard count <= left else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for _ in 0..<count {
            guard let byte = next() else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// A number in groups of seven bits, the lowest first. `nil` beyond 32 bits.
    mutating func number() -> Int? {
        JXLProfileBytes.number { next() }
    }

    static func number(_ next: () -> UInt8?) -> Int? {
        var number = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let byte = next() else { return nil }
            number |= Int(byte & 127) << shift
            if byte < 128 { return number >> 32 == 0 ? number : nil }
        }
        return nil
    }

    private static func kind(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): 0
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ","): 1
        case 0: 2
        case 1: 3
        case 2..<16: 4
        case 241..<255: 5
        case 255: 6
        default: 7
        }
    }

    private static func roughKind(_ byte: UInt8) -> Int {
        switch kind(byte) {
        case let kind where kind < 2: kind
        case 2...4: 2
        case 5, 6: 3
        default: 4
        }
    }
}
#endif
