import EaselCore
import EaselTesting
import Foundation

@testable import EaselCodecs

/// PNG files built chunk by chunk, because Easel's encoders write neither interlaced nor 16-bit animated files.
extension Files {
    /// Returns a gray image of 8 bits in seven passes.
    static func interlacedPNG(_ width: Int, _ height: Int) throws -> Data {
        let size = PixelSize(width, height)
        var rows: [UInt8] = []
        for pass in PNGPass.adam7 {
            let area = pass.size(in: size)
            guard area.width > 0 else { continue }
            for row in 0..<area.height {
                rows.append(0)
                rows += (0..<area.width).map { column in
                    gray(pass.x + column * pass.stepX, pass.y + row * pass.stepY)
                }
            }
        }
        return Data(
            signature + chunk("IHDR", pngHeader(width, height, colorType: 0, isInterlaced: true))
                + chunk("IDAT", storedBlocks(rows)) + chunk("IEND", []))
    }

    /// Returns three frames of RGBA: a whole one, one drawn over its middle, and one that replaces a corner.
    static func animatedPNG(_ width: Int, _ height: Int) throws -> Data {
        var file = signature + chunk("IHDR", pngHeader(width, height, colorType: 6, isInterlaced: false))
        file += chunk("acTL", bigEndian(3) + bigEndian(0))
        file += chunk("fcTL", frameControl(0, PixelRectangle.whole(PixelSize(width, height)), dispose: 0, blend: 0))
        file += chunk("IDAT", storedBlocks(rgba(width, height, seed: 1)))
        let middle = PixelRectangle(x: 2, y: 2, size: PixelSize(width - 4, height - 4))
        file += chunk("fcTL", frameControl(1, middle, dispose: 2, blend: 1))
        file += chunk("fdAT", bigEndian(2) + storedBlocks(rgba(width - 4, height - 4, seed: 2)))
        let corner = PixelRectangle(x: 0, y: 0, size: PixelSize(4, 4))
        file += chunk("fcTL", frameControl(3, corner, dispose: 0, blend: 0))
        file += chunk("fdAT", bigEndian(4) + storedBlocks(rgba(4, 4, seed: 3)))
        return Data(file + chunk("IEND", []))
    }

    /// A frame of 16 bits: its position, its straight R, G, B, A, and its APNG operations.
    struct DeepFrame {
        var area: PixelRectangle
        var words: [UInt16]
        var dispose: UInt8
        var blend: UInt8
    }

    /// Returns an animated PNG of RGBA in 16 bits.
    static func deepAnimatedPNG(_ width: Int, _ height: Int, _ frames: [DeepFrame]) -> Data {
        var file = signature + chunk("IHDR", bigEndian(width) + bigEndian(height) + [16, 6, 0, 0, 0])
        file += chunk("acTL", bigEndian(frames.count) + bigEndian(0))
        var sequence = 0
        for (index, frame) in frames.enumerated() {
            file += chunk("fcTL", frameControl(sequence, frame.area, dispose: frame.dispose, blend: frame.blend))
            let rows = (0..<frame.area.size.height).flatMap { y -> [UInt8] in
                let count = frame.area.size.width * 4
                return [0]
                    + frame.words[(y * count)..<((y + 1) * count)].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            }
            let isFirst = index == 0
            file += chunk(isFirst ? "IDAT" : "fdAT", (isFirst ? [] : bigEndian(sequence + 1)) + storedBlocks(rows))
            sequence += isFirst ? 1 : 2
        }
        return Data(file + chunk("IEND", []))
    }

    /// Returns half a million black and white pixels in few bytes.
    static func largePNG() -> Data {
        let rows: [UInt8] = (0..<500).flatMap { y -> [UInt8] in
            [0] + [UInt8](repeating: UInt8(truncatingIfNeeded: y), count: 128)
        }
        let header = bigEndian(1024) + bigEndian(500) + [1, 0, 0, 0, 0]
        return Data(signature + chunk("IHDR", header) + chunk("IDAT", storedBlocks(rows)) + chunk("IEND", []))
    }

    /// Returns the start of a file that announces a size.
    static func pngHead(_ width: Int, _ height: Int) -> Data {
        Data(signature + chunk("IHDR", pngHeader(width, height, colorType: 6, isInterlaced: false)))
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static func pngHeader(_ width: Int, _ height: Int, colorType: UInt8, isInterlaced: Bool) -> [UInt8] {
        bigEndian(width) + bigEndian(height) + [8, colorType, 0, 0, isInterlaced ? 1 : 0]
    }

    private static func frameControl(
        _ sequence: Int, _ area: PixelRectangle, dispose: UInt8, blend: UInt8
    ) -> [UInt8] {
        bigEndian(sequence) + bigEndian(area.size.width) + bigEndian(area.size.height) + bigEndian(area.x)
            + bigEndian(area.y) + [0, 1, 0, 10, dispose, blend]
    }

    private static func gray(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: x * 13 + y * 7 + 1) }

    private static func rgba(_ width: Int, _ height: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<height).flatMap { _ in
            [0] + (0..<(width * 4)).map { _ in UInt8(truncatingIfNeeded: random.next()) | 0x11 }
        }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var writer = PNGChunkWriter()
        let type = Array(name.utf8).reduce(0) { $0 << 8 | Int($1) }
        writer.append(PNGChunkType(rawValue: type), content)
        return Array(writer.bytes.dropFirst(8))
    }

    /// Returns a zlib stream of uncompressed blocks.
    private static func storedBlocks(_ bytes: [UInt8]) -> [UInt8] {
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let count = bytes.count
        return [0x78, 0x01, 1, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8 & 0xFF)]
            + bytes + bigEndian(Int(b << 16 | a))
    }
}

extension Files {
    /// Returns a PNG of R, G, B in 16 bits, from R, G, B, A.
    static func deepPNG(_ width: Int, _ height: Int, _ samples: [UInt16], isInterlaced: Bool = false) -> Data {
        let passes = isInterlaced ? PNGPass.adam7 : [.whole]
        var rows: [UInt8] = []
        for pass in passes {
            let area = pass.size(in: PixelSize(width, height))
            guard area.width > 0 else { continue }
            for y in 0..<area.height {
                rows.append(0)
                for x in 0..<area.width {
                    let offset = ((pass.y + y * pass.stepY) * width + pass.x + x * pass.stepX) * 4
                    for channel in 0..<3 {
                        rows += [UInt8(samples[offset + channel] >> 8), UInt8(samples[offset + channel] & 0xFF)]
                    }
                }
            }
        }
        var writer = PNGChunkWriter()
        let form: [UInt8] = [16, 2, 0, 0, isInterlaced ? 1 : 0]
        writer.append(.imageHeader, PNGChunkWriter.bigEndian(width) + PNGChunkWriter.bigEndian(height) + form)
        writer.append(.imageData, zlib(rows))
        writer.append(.end, [])
        return Data(writer.bytes)
    }
}
