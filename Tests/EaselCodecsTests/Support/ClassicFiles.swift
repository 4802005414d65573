import Foundation

/// Files of the older formats, built byte by byte according to their specifications.
enum ClassicFiles {
    static func littleEndian16(_ value: Int) -> [UInt8] {
        [0, 8].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func littleEndian32(_ value: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Returns a bitmap header of 40 bytes, without the file header.
    static func bitmapHeader(
        _ width: Int, _ height: Int, bits: Int, compression: Int = 0, colors: Int = 0
    ) -> [UInt8] {
        littleEndian32(40) + littleEndian32(width) + littleEndian32(height) + littleEndian16(1) + littleEndian16(bits)
            + littleEndian32(compression) + [UInt8](repeating: 0, count: 12) + littleEndian32(colors)
            + littleEndian32(0)
    }

    /// Returns a BMP of a header, tables (masks, palette) and pixels.
    static func bmp(header: [UInt8], _ tables: [UInt8] = [], pixels: [UInt8]) -> Data {
        let start = 14 + header.count + tables.count
        let file: [UInt8] =
            Array("BM".utf8) + littleEndian32(start + pixels.count) + [0, 0, 0, 0] + littleEndian32(start)
        return Data(file + header + tables + pixels)
    }

    /// Returns a BMP of 24 bits with increasing bytes. Rows are padded to four bytes, with the last one first.
    static func bmp(_ width: Int, _ height: Int) -> Data {
        let row = (width * 3 + 3) / 4 * 4
        let pixels = (0..<(row * height)).map { UInt8(truncatingIfNeeded: $0) }
        return bmp(header: bitmapHeader(width, height, bits: 24), pixels: pixels)
    }

    /// Returns an icon or cursor with these images.
    static func ico(_ images: [(width: Int, height: Int, data: [UInt8])], type: Int = 1) -> Data {
        var offset = 6 + images.count * 16
        var directory: [UInt8] = littleEndian16(0) + littleEndian16(type) + littleEndian16(images.count)
        for image in images {
            directory += [UInt8(image.width & 0xFF), UInt8(image.height & 0xFF), 0, 0, 1, 0, 32, 0]
            directory += littleEndian32(image.data.count) + littleEndian32(offset)
            offset += image.data.count
        }
        return Data(directory + images.flatMap(\.data))
    }

    /// Returns an icon image of one color in 32 bits, and a mask.
    static func iconBitmap(_ side: Int, blue: UInt8, green: UInt8, red: UInt8, alpha: UInt8, mask: UInt8 = 0) -> [UInt8]
    {
        let pixels = (0..<(side * side)).flatMap { _ in [blue, green, red, alpha] }
        let maskBytes = [UInt8](repeating: mask, count: (side + 31) / 32 * 4 * side)
        return bitmapHeader(side, side * 2, bits: 32) + pixels + maskBytes
    }

    /// A tag of a TIFF: number, type (3 SHORT, 4 LONG), values.
    struct Tag {
        var number: Int
        var type: Int
        var values: [Int]
    }

    /// Returns a little-endian TIFF of one strip. `more` adds tags or replaces the derived ones.
    static func tiff(
        _ width: Int, _ height: Int, samples: Int, bits: Int, photometric: Int, pixels: [UInt8], _ more: [Tag] = []
    ) -> Data {
        let start = 8
        var tags = [
            Tag(number: 256, type: 4, values: [width]), Tag(number: 257, type: 4, values: [height]),
            Tag(number: 258, type: 3, values: Array(repeating: bits, count: samples)),
            Tag(number: 259, type: 3, values: [1]), Tag(number: 262, type: 3, values: [photometric]),
            Tag(number: 273, type: 4, values: [start]), Tag(number: 277, type: 3, values: [samples]),
            Tag(number: 278, type: 4, values: [height]), Tag(number: 279, type: 4, values: [pixels.count]),
        ]
        tags = (tags.filter { tag in !more.contains { $0.number == tag.number } } + more)
            .sorted { $0.number < $1.number }
        let padded = pixels + (pixels.count % 2 == 1 ? [0] : [])
        let directory = start + padded.count
        var entries: [UInt8] = littleEndian16(tags.count)
        var trailing: [UInt8] = []
        for tag in tags {
            let bytes = tag.values.flatMap { tag.type == 3 ? littleEndian16($0) : littleEndian32($0) }
            entries += littleEndian16(tag.number) + littleEndian16(tag.type) + littleEndian32(tag.values.count)
            if bytes.count <= 4 {
                entries += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                entries += littleEndian32(directory + 2 + tags.count * 12 + 4 + trailing.count)
                trailing += bytes
            }
        }
        return Data([0x49, 0x49, 42, 0] + littleEndian32(directory) + padded + entries + [0, 0, 0, 0] + trailing)
    }

    /// Returns a TIFF of 8-bit RGB with increasing samples.
    static func tiff(_ width: Int, _ height: Int) -> Data {
        tiff(
            width, height, samples: 3, bits: 8, photometric: 2,
            pixels: (0..<(width * height * 3)).map { UInt8(truncatingIfNeeded: $0) })
    }

    static func svg(_ attributes: String, _ content: String = "") -> Data {
        Data("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)>\(content)</svg>".utf8)
    }
}
