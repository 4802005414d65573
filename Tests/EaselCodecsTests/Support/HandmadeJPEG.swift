import Foundation

/// A gray baseline JPEG that is written code by code, with features that encoders do not use.
struct HandmadeJPEG {
    /// The number of blocks across and down.
    static let blocks = 65
    static let side = blocks * 8

    /// The blocks across and down of each component in a unit. Several components are interleaved in one scan.
    var sampling = [(across: 1, down: 1)]
    /// The bits of a sample. More than eight result in another kind of file.
    var precision = 8
    /// The number of units between restart markers; 0 for none. The unit of a single component is a block.
    var restartInterval = 0
    /// The codes of each block's coefficients, as (zeros before it, value); `(15, 0)` is sixteen zeros. A block with
    /// fewer coefficients gets an end code.
    var coefficients: (_ block: Int) -> [(run: Int, value: Int)] = { _ in [] }
    /// The difference of each block's mean from the one before.
    var difference: (_ block: Int) -> Int = { _ in 0 }

    /// The codes of means: twelve codes of four bits.
    private static let meanCodes = (0...11).map { ($0, 4) }
    /// The codes of coefficients: an end and a single step of two bits, and others of up to sixteen.
    private static let codes = [
        (0x00, 2), (0x01, 2), (0xF0, 3), (0x11, 4), (0x05, 4), (0xE1, 5), (0x02, 11), (0x09, 12), (0xF1, 12),
        (0x0A, 16),
    ]

    func data() -> Data {
        var file = JPEGMarkers()
        let side = [UInt8(Self.side >> 8), UInt8(Self.side & 255)]
        file.append(0xDB, [0] + [UInt8](repeating: 4, count: 64))
        var (frame, order): ([UInt8], [UInt8]) = ([], [])
        for (index, blocks) in sampling.enumerated() {
            frame += [UInt8(index + 1), UInt8(blocks.across << 4 | blocks.down), 0]
            order += [UInt8(index + 1), 0x00]
        }
        let count = [UInt8(sampling.count)]
        file.append(precision == 8 ? 0xC0 : 0xC1, [UInt8(precision)] + side + side + count + frame)
        file.append(0xC4, [0x00] + HuffmanTable.bytes(Self.meanCodes))
        file.append(0xC4, [0x10] + HuffmanTable.bytes(Self.codes))
        if restartInterval > 0 { file.append(0xDD, [UInt8(restartInterval >> 8), UInt8(restartInterval & 255)]) }
        file.append(0xDA, count + order + [0, 63, 0])
        file.append(scan())
        return file.finished()
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
        let (means, codes) = (HuffmanTable(Self.meanCodes), HuffmanTable(Self.codes))
        var writer = JPEGBitWriter()
        let blocksInUnit = sampling.reduce(0) { $0 + $1.across * $1.down }
        for block in 0..<(unitCount * blocksInUnit) {
            let blocksBetween = restartInterval * blocksInUnit
            if restartInterval > 0, block > 0, block % blocksBetween == 0 {
                writer.restart(block / blocksBetween - 1)
            }
            let size = JPEGBitWriter.size(difference(block))
            writer.append(means, size)
            writer.append(value: difference(block))
            var index = 1
            for (run, value) in coefficients(block) {
                writer.append(codes, run << 4 | JPEGBitWriter.size(value))
                writer.append(value: value)
                index += run + 1
            }
            if index < 64 { writer.append(codes, 0) }
        }
        return writer.finished()
    }
}
