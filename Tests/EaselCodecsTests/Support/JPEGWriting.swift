import Foundation

/// The marker segments of a handmade JPEG, and the data between them.
struct JPEGMarkers {
    private var bytes: [UInt8] = [0xFF, 0xD8]

    mutating func append(_ marker: UInt8, _ content: [UInt8]) {
        bytes += [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
    }

    /// Appends the data of a scan.
    mutating func append(_ data: [UInt8]) { bytes += data }

    func finished() -> Data { Data(bytes + [0xFF, 0xD9]) }
}

/// Huffman codes, built from symbols and the lengths of their codes in bits, in the order of their lengths.
struct HuffmanTable {
    private var codes: [Int: (bits: Int, count: Int)] = [:]

    /// Counts the codes up from length to length.
    init(_ lengths: [(symbol: Int, length: Int)]) {
        var (next, last) = (0, lengths[0].length)
        for (symbol, length) in lengths {
            next <<= length - last
            last = length
            codes[symbol] = (next, length)
            next += 1
        }
    }

    subscript(symbol: Int) -> (bits: Int, count: Int) {
        guard let code = codes[symbol] else { preconditionFailure("The table has no code for \(symbol)") }
        return code
    }

    /// Returns the table in the format of a segment.
    static func bytes(_ lengths: [(symbol: Int, length: Int)]) -> [UInt8] {
        (1...16).map { length in UInt8(lengths.count { $0.length == length }) } + lengths.map { UInt8($0.symbol) }
    }
}

/// A writer for the data of a scan.
struct JPEGBitWriter {
    private var bytes: [UInt8] = []
    private var bits = 0
    private var count = 0

    static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }

    mutating func append(_ table: HuffmanTable, _ symbol: Int) { append(table[symbol]) }

    private mutating func append(_ code: (bits: Int, count: Int)) {
        for position in stride(from: code.count - 1, through: 0, by: -1) {
            bits = bits << 1 | code.bits >> position & 1
            count += 1
            guard count == 8 else { continue }
            bytes.append(UInt8(bits))
            if bits == 0xFF { bytes.append(0) }
            (bits, count) = (0, 0)
        }
    }

    /// Appends the bits of a value: as many as it has, and for a negative one those of value + 2^size - 1.
    mutating func append(value: Int) {
        let size = Self.size(value)
        append((value < 0 ? value + (1 << size) - 1 : value, size))
    }

    mutating func restart(_ index: Int) {
        fill()
        bytes += [0xFF, 0xD0 + UInt8(index & 7)]
    }

    mutating func finished() -> [UInt8] {
        fill()
        return bytes
    }

    private mutating func fill() {
        if count > 0 { append(((1 << (8 - count)) - 1, 8 - count)) }
    }
}
