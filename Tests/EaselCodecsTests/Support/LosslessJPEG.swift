import EaselCodecs
import EaselCore
import EaselTesting
import Foundation

/// A lossless JPEG (ITU-T T.81, annex H) of red, green and blue, each sample a difference from the one to its left. It
/// also has an unused table for coefficients.
struct LosslessJPEG {
    static let side = 200

    var precision = 8
    /// Whether each component has a separate scan.
    var hasSeveralScans = false

    private static func sample(_ component: Int, _ x: Int, _ y: Int) -> Int {
        ((x * 3 + y * (component + 1) * 2) / 5 ^ (x * y) >> (8 + component)) & 255
    }

    /// Returns the pixels of the file.
    func pixels() throws -> PixelBuffer {
        try PixelBuffer.drawn(Self.side, Self.side, isOpaque: true) { x, y in
            let samples = (0..<3).map { UInt8(Self.sample($0, x, y)) }
            return Pixel(blue: samples[2], green: samples[1], red: samples[0], alpha: 255)
        }
    }

    /// The codes of the sizes of differences: thirteen codes of four bits.
    private static let codes = (0...12).map { ($0, 4) }

    func data() -> Data {
        var file = JPEGMarkers()
        let side = [UInt8(Self.side >> 8), UInt8(Self.side & 255)]
        let components: [UInt8] = [1, 2, 3]
        file.append(0xC3, [UInt8(precision)] + side + side + [3] + components.flatMap { [$0, 0x11, 0] })
        file.append(0xC4, [0x00] + HuffmanTable.bytes(Self.codes))
        file.append(0xC4, [0x10] + HuffmanTable.bytes(Self.codes))
        for scan in hasSeveralScans ? [[0], [1], [2]] : [[0, 1, 2]] {
            file.append(0xDA, [UInt8(scan.count)] + scan.flatMap { [components[$0], 0] } + [1, 0, 0])
            file.append(self.scan(of: scan))
        }
        return file.finished()
    }

    private func scan(of components: [Int]) -> [UInt8] {
        let codes = HuffmanTable(Self.codes)
        var writer = JPEGBitWriter()
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                for component in components {
                    let difference = Self.sample(component, x, y) - predict(component, x, y)
                    writer.append(codes, JPEGBitWriter.size(difference))
                    writer.append(value: difference)
                }
            }
        }
        return writer.finished()
    }

    /// Returns the sample to the left, at the left edge the one above, and for the first sample the middle value.
    private func predict(_ component: Int, _ x: Int, _ y: Int) -> Int {
        if x > 0 { return Self.sample(component, x - 1, y) }
        return y > 0 ? Self.sample(component, 0, y - 1) : 1 << (precision - 1)
    }
}
