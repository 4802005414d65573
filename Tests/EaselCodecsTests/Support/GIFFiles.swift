import EaselTesting
import Foundation

extension Files {
    /// A frame of a GIF with pseudo-random indices into 16 colors.
    struct GIFFrame {
        var x = 0
        var y = 0
        var width: Int
        var height: Int
        var disposal = 1
        var transparentIndex: Int?
        var isInterlaced = false
        var seed: UInt64 = 1
    }

    /// Returns an endless GIF of these frames, each shown for a tenth of a second.
    static func gif(_ width: Int, _ height: Int, _ frames: [GIFFrame]) -> Data {
        var file = Array("GIF89a".utf8) + littleEndian(width) + littleEndian(height) + [0x83, 0, 0]
        for color in 0..<16 { file += [UInt8(color * 16), UInt8(255 - color * 11), UInt8(color * 37 & 0xFF)] }
        file += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for frame in frames {
            let flags = UInt8(frame.disposal << 2 | (frame.transparentIndex == nil ? 0 : 1))
            file += [0x21, 0xF9, 4, flags] + littleEndian(10) + [UInt8(frame.transparentIndex ?? 0), 0]
            file += [0x2C] + littleEndian(frame.x) + littleEndian(frame.y) + littleEndian(frame.width)
            file += littleEndian(frame.height) + [frame.isInterlaced ? 0x40 : 0]
            var random = SeededGenerator(seed: frame.seed)
            let indices: [UInt8] = (0..<(frame.width * frame.height)).map { _ in UInt8(random.next() & 15) }
            file += [4] + runs(codes(indices)) + [0]
        }
        return Data(file + [0x3B])
    }

    /// Returns LZW codes of five bits, with a clear code whenever they would grow.
    private static func codes(_ indices: [UInt8]) -> [UInt8] {
        var codes: [Int] = []
        for (position, index) in indices.enumerated() {
            if position % 12 == 0 { codes.append(16) }
            codes.append(Int(index))
        }
        codes.append(17)
        var bytes: [UInt8] = []
        var word = 0
        var count = 0
        for code in codes {
            word |= code << count
            count += 5
            while count >= 8 {
                bytes.append(UInt8(word & 0xFF))
                word >>= 8
                count -= 8
            }
        }
        return count > 0 ? bytes + [UInt8(word)] : bytes
    }

    private static func runs(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let run = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(run.count)] + run
        }
    }

    private static func littleEndian(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}
