import Foundation

/// A gray baseline JPEG written code by code, so that it holds what no encoder would write.
struct HandmadeJPEG {
    /// Blocks across and down.
    static let blocks = 65
    static let side = blocks * 8

    /// Blocks across and down that each component has in a unit: of several, all units are beside each other in the scan.
    var sampling = [(across: 1, down: 1)]
    /// Units between two restart markers; 0 for none. A single component's unit is a block.
    var restartInterval = 0
    /// For each block the codes of its coefficients, as (zeros before it, value); `(15, 0)` is sixteen zeros. One that does
    /// not reach the last place is ended.
    var coefficients: (_ block: Int) -> [(run: Int, value: Int)] = { _ in [] }
    /// For each block its mean's difference from the one before.
    var difference: (_ block: Int) -> Int = { _ in 0 }

    /// Of means: twelve codes of four bits.
    private static let meanCodes = (0...11).map { ($0, 4) }
    /// Of coefficients: an end and a single step of two bits, and others of up to sixteen.
    private static let codes = [
        (0x00, 2), (0x01, 2), (0xF0, 3), (0x11, 4), (0x05, 4), (0xE1, 5), (0x02, 11), (0x09, 12), (0xF1, 12),
        (0x0A, 16),
    ]

    func data() -> Data {
        var file: [UInt8] = [0xFF, 0xD8]
        func segment(_ marker: UInt8, _ content: [UInt8]) {
            file += [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
        }
        let side = [UInt8(Self.side >> 8), UInt8(Self.side & 255)]
        segment(0xDB, [0] + [UInt8](repeating: 4, count: 64))
        var (frame, order): ([UInt8], [UInt8]) = ([], [])
        for (index, blocks) in sampling.enumerated() {
            frame += [UInt8(index + 1), UInt8(blocks.across << 4 | blocks.down), 0]
            order += [UInt8(index + 1), 0x00]
        }
        let count = [UInt8(sampling.count)]
        segment(0xC0, [8] + side + side + count + frame)
        segment(0xC4, [0x00] + Self.table(Self.meanCodes))
        segment(0xC4, [0x10] + Self.table(Self.codes))
        if restartInterval > 0 { segment(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)]) }
        segment(0xDA, count + order + [0, 63, 0])
        return Data(file + scan() + [0xFF, 0xD9])
    }

    private static func table(_ codes: [(symbol: Int, length: Int)]) -> [UInt8] {
        (1...16).map { length in UInt8(codes.count { $0.length == length }) } + codes.map { UInt8($0.symbol) }
    }

    /// The code of each symbol, counted up from length to length.
    private static func bits(_ codes: [(symbol: Int, length: Int)]) -> [Int: (bits: Int, count: Int)] {
        var (next, length) = (0, codes[0].length)
        var result: [Int: (bits: Int, count: Int)] = [:]
        for code in codes {
            next <<= code.length - length
            length = code.length
            result[code.symbol] = (next, length)
            next += 1
        }
        return result
    }

    private var unitCount: Int {
        guard sampling.count > 1 else { return Self.blocks * Self.blocks }
        func count(_ side: (_ component: (across: Int, down: Int)) -> Int) -> Int {
            let largest = sampling.map(side).max() ?? 1
            return (Self.blocks + largest - 1) / largest
        }
        return count(\.across) * count(\.down)
    }

    private func scan() -> [UInt8] {
        let (means, codes) = (Self.bits(Self.meanCodes), Self.bits(Self.codes))
        var writer = BitWriter()
        let blocksInUnit = sampling.reduce(0) { $0 + $1.across * $1.down }
        for block in 0..<(unitCount * blocksInUnit) {
            let blocksBetween = restartInterval * blocksInUnit
            if restartInterval > 0, block > 0, block % blocksBetween == 0 {
                writer.restart(block / blocksBetween - 1)
            }
            let size = BitWriter.size(difference(block))
            writer.append(means[size] ?? (0, 0))
            writer.append(value: difference(block))
            var place = 1
            for (run, value) in coefficients(block) {
                writer.append(codes[run << 4 | BitWriter.size(value)] ?? (0, 0))
                writer.append(value: value)
                place += run + 1
            }
            if place < 64 { writer.append(codes[0] ?? (0, 0)) }
        }
        return writer.finished()
    }
}

private struct BitWriter {
    private var bytes: [UInt8] = []
    private var bits = 0
    private var count = 0

    static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }

    mutating func append(_ code: (bits: Int, count: Int)) {
        for place in stride(from: code.count - 1, through: 0, by: -1) {
            bits = bits << 1 | code.bits >> place & 1
            count += 1
            guard count == 8 else { continue }
            bytes.append(UInt8(bits))
            if bits == 0xFF { bytes.append(0) }
            (bits, count) = (0, 0)
        }
    }

    /// As many bits as the number has; of a negative one, those of the number that is as far from the least one.
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
