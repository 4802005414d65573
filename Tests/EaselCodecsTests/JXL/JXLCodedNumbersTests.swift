#if JXL
import Testing

@testable import EaselCodecs

/// Streams written by hand: what libjxl writes is in the tests of profiles.
@Suite("JPEG XL: coded numbers")
struct JXLCodedNumbersTests {
    /// No copies, one code, whose numbers from 16 on are told by their length.
    private static let plain: [Bits] = [(0, 1), (1, 1), (4, 4), (0, 3), (0, 3)]

    @Test(
        "simple prefix codes of one symbol to four, and the uneven one of four",
        arguments: [
            ([(0, 2), (7, 4)], [], [7, 7, 7]),
            ([(1, 2), (9, 4), (3, 4)], [(0, 1), (1, 1)], [3, 9]),
            ([(2, 2), (9, 4), (5, 4), (3, 4)], [(0, 1), (0b01, 2), (0b11, 2)], [9, 3, 5]),
            (
                [(3, 2), (9, 4), (5, 4), (3, 4), (1, 4), (0, 1)], [(0b00, 2), (0b10, 2), (0b01, 2), (0b11, 2)],
                [1, 3, 5, 9]
            ),
            (
                [(3, 2), (9, 4), (5, 4), (3, 4), (1, 4), (1, 1)], [(0, 1), (0b01, 2), (0b011, 3), (0b111, 3)],
                [9, 5, 1, 3]
            ),
        ] as [([Bits], [Bits], [Int])])
    func simpleCodes(code: [Bits], symbols: [Bits], numbers: [Int]) throws {
        // Of 16 symbols.
        let stream = Self.plain + [(1, 1), (3, 4), (7, 3), (1, 2)] + code + symbols
        #expect(try Self.read(stream, numbers.count) == numbers)
    }

    @Test("a code whose lengths are coded, with zeros and lengths that repeat")
    func codedLengths() throws {
        // Of 8 symbols. For lengths of 1, 2, 3, 4, 0, 5, 17, 6, 16: one bit for 2, two for 17 and for 16.
        let lengthCode: [Bits] = [(0, 2), (0b0111, 4), (0, 2), (0, 2), (0, 2), (0, 2), (0b011, 3), (0, 2), (0b011, 3)]
        // Three zeros, a 2, and three times more the same.
        let lengths: [Bits] = [(0b11, 2), (0, 3), (0, 1), (0b01, 2), (0, 2)]
        let symbols: [Bits] = [(0b00, 2), (0b10, 2), (0b01, 2), (0b11, 2)]
        let stream: [Bits] = Self.plain + [(1, 1), (2, 4), (3, 2), (0, 2)]
        #expect(try Self.read(stream + lengthCode + lengths + symbols, 4) == [3, 4, 5, 6])
    }

    @Test("numbers beyond the split have bits of their own behind the symbol")
    func hybridNumbers() throws {
        // A split of 4, one highest bit and one lowest in the symbol. Of 16 symbols: 3, and 11 for 1, 1, a bit and 1.
        let head: [Bits] = [(0, 1), (1, 1), (2, 4), (1, 2), (1, 1)]
        let code: [Bits] = [(1, 1), (3, 4), (7, 3), (1, 2), (1, 2), (3, 4), (11, 4)]
        #expect(try Self.read(head + code + [(0, 1), (1, 1), (1, 1)], 2) == [3, 15])
        #expect(try Self.read(head + code + [(0, 1), (1, 1), (0, 1)], 2) == [3, 13])
    }

    @Test("a copy goes back by its distance, into what it has copied itself too")
    func copies() throws {
        // Copies from symbol 224 on, of 3 and more; numbers as they are; one code for all, of 225 symbols: 1, 2, 224.
        let head: [Bits] = [(1, 1), (0, 2), (0, 2), (8, 4), (1, 1), (0, 2), (1, 1), (8, 4), (0, 4), (0, 4)]
        let code: [Bits] = [(1, 1), (7, 4), (96, 7), (1, 2), (2, 2), (1, 8), (2, 8), (224, 8)]
        // 1, 2, then three from a distance of 2, then 2.
        let numbers: [Bits] = [(0, 1), (0b01, 2), (0b11, 2), (0, 1), (0b01, 2)]
        #expect(try Self.read(head + code + numbers, 6) == [1, 2, 1, 2, 1, 2])
        // There is nothing before the first.
        #expect(throws: Missing.self) { try Self.read(head + code + [(0b11, 2), (0, 1), (0, 8)], 1) }
    }

    @Test("contexts have codes by a map, which may be moved to the front")
    func contexts() throws {
        // Two codes, each of one symbol of eight: 5 and 6.
        let hybrids: [Bits] = [(1, 1), (4, 4), (0, 3), (0, 3), (4, 4), (0, 3), (0, 3)]
        let sizes: [Bits] = [(1, 1), (2, 4), (3, 2), (1, 1), (2, 4), (3, 2)]
        let codes: [Bits] = [(1, 2), (0, 2), (5, 3), (1, 2), (0, 2), (6, 3)]
        // The map in a code of one bit: 0 1 1 0.
        let map: [Bits] = Self.plain + [(1, 1), (0, 4), (1, 2), (1, 2), (0, 1), (1, 1), (0, 1), (1, 1), (1, 1), (0, 1)]
        for (isMovedToFront, expected) in [(0, [5, 6, 6, 5]), (1, [5, 6, 5, 5])] {
            let stream: [Bits] = [(0, 1), (0, 1), (isMovedToFront, 1)] + map + hybrids + sizes + codes
            #expect(try Self.read(stream, 4, contextCount: 4) == expected)
        }
    }

    @Test("asymmetric numeral systems, and alphabets beyond what profiles need, are left to libjxl")
    func others() {
        #expect(throws: Missing.self) { try Self.read([(0, 1), (0, 1), (0, 100)], 1) }
        #expect(throws: Missing.self) { try Self.read(Self.plain + [(1, 1), (10, 4), (0, 10), (0, 100)], 1) }
    }

    typealias Bits = (value: Int, count: Int)
    private struct Missing: Error {}

    private static func read(_ stream: [Bits], _ count: Int, contextCount: Int = 1) throws -> [Int] {
        var bytes: [UInt8] = []
        var position = 0
        for (value, count) in stream {
            for bit in 0..<count {
                if position % 8 == 0 { bytes.append(0) }
                if bit < Int.bitWidth, value >> bit & 1 == 1 { bytes[position / 8] |= 1 << (position % 8) }
                position += 1
            }
        }
        var reader = JXLBitReader(bytes)
        guard var numbers = JXLCodedNumbers(&reader, contextCount: contextCount) else { throw Missing() }
        return try (0..<count).map { index in
            guard let number = numbers.next(index % contextCount, &reader) else { throw Missing() }
            return number
        }
    }
}
#endif
