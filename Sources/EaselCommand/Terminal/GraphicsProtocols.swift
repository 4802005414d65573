import EaselCodecs
import EaselCore
import EaselFoundation

/// The kitty graphics protocol. Images are sent as straight RGBA inside escape codes, so that it also works over ssh.
enum KittyGraphics {
    static let longestChunk = 4096

    /// The escape code that removes all images from the screen and frees their memory.
    static let deletion = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

    /// Returns the escape codes that show the image at the cursor without scaling.
    ///
    /// The terminal sends no reply (`q=2`), because none would be read.
    ///
    /// - Parameter id: The image number. The image replaces the previous one with this number, and the cursor does not
    ///   move.
    static func encode(_ pixels: PixelBuffer, replacing id: Int? = nil) -> String {
        let identifier = id.map { ",i=\($0),p=1,C=1" } ?? ""
        let bytes = unpremultiply(pixels)
        let chunk = longestChunk / 4 * 3
        var text = ""
        text.reserveCapacity(bytes.count / 3 * 4 + bytes.count / chunk * 16 + 64)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            let end = min(start + chunk, bytes.count)
            let more = end < bytes.count ? 1 : 0
            let keys =
                start == 0 ? "a=T,f=32,s=\(pixels.width),v=\(pixels.height),q=2\(identifier),m=\(more)" : "m=\(more)"
            text += "\u{1B}_G\(keys);\(bytes[start..<end].base64EncodedString())\u{1B}\\"
        }
        return text
    }

    private static func unpremultiply(_ pixels: PixelBuffer) -> Data {
        var bytes = Data(capacity: pixels.width * pixels.height * 4)
        pixels.forEachRow { row in
            for pixel in row {
                let color = ImageColor(pixel)
                bytes.append(contentsOf: [color.red, color.green, color.blue, pixel.alpha])
            }
        }
        return bytes
    }
}

/// Sixel images: columns of six pixels, one palette colour at a time.
enum Sixel {
    /// Returns the escape code that shows the image at the cursor without scaling.
    static func encode(_ pixels: PixelBuffer) -> String {
        let image = GIFQuantizer.quantize(pixels)
        // Square pixels, a size in advance, and a transparent background.
        var text = "\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)"
        for (index, color) in image.colors.enumerated() {
            text += "#\(index);2;\(percent(color >> 16));\(percent(color >> 8));\(percent(color))"
        }
        for top in stride(from: 0, to: pixels.height, by: 6) {
            if top > 0 { text += "-" }
            text += band(image, top..<min(top + 6, pixels.height), width: pixels.width)
        }
        return text + "\u{1B}\\"
    }

    private static func percent(_ component: UInt32) -> UInt32 { ((component & 0xFF) * 100 + 127) / 255 }

    /// Returns up to six rows, one colour at a time over the whole width.
    private static func band(_ image: GIFIndexedImage, _ rows: Range<Int>, width: Int) -> String {
        var columns: [UInt8: [UInt8]] = [:]
        for (bit, y) in rows.enumerated() {
            for (x, index) in image.indices[(y * width)..<((y + 1) * width)].enumerated()
            where index != image.transparentIndex {
                columns[index, default: Array(repeating: 0, count: width)][x] |= 1 << UInt8(bit)
            }
        }
        return columns.sorted { $0.key < $1.key }.map { "#\($0.key)" + runs($0.value) }.joined(separator: "$")
    }

    /// Returns the columns of one colour, with repeats as `!count`.
    private static func runs(_ columns: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var x = 0
        // Trailing empty columns are omitted.
        let end = (columns.lastIndex { $0 != 0 } ?? -1) + 1
        while x < end {
            let start = x
            while x < end, columns[x] == columns[start] { x += 1 }
            let sixel = 0x3F + columns[start]
            bytes += x - start > 3 ? "!\(x - start)".utf8 + [sixel] : Array(repeating: sixel, count: x - start)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Images as text: the foreground of an upper half block is the upper pixel, the background is the lower pixel.
enum HalfBlocks {
    /// Returns lines of text with line breaks, as wide as the image and half as high.
    static func encode(_ pixels: PixelBuffer) -> String {
        var rows: [[OpaqueColor?]] = []
        pixels.forEachRow { row in rows.append(row.map(OpaqueColor.init)) }
        let nothing = [OpaqueColor?](repeating: nil, count: pixels.width)
        return stride(from: 0, to: rows.count, by: 2).map { y in
            line(upper: rows[y], lower: y + 1 < rows.count ? rows[y + 1] : nothing) + "\n"
        }.joined()
    }

    /// Returns one line, which starts with and restores the default colours.
    private static func line(upper: [OpaqueColor?], lower: [OpaqueColor?]) -> String {
        var text = ""
        text.reserveCapacity(upper.count * 24)
        var front: OpaqueColor?
        var background: OpaqueColor?
        for (upper, lower) in zip(upper, lower) {
            // A transparent pixel shows the default background, so the lower pixel is then drawn as a lower half block.
            let nextBack = upper == nil ? nil : lower
            if let nextFront = upper ?? lower, nextFront != front {
                text += "\u{1B}[38;2;\(nextFront.red);\(nextFront.green);\(nextFront.blue)m"
                front = nextFront
            }
            if nextBack != background {
                text += nextBack.map { "\u{1B}[48;2;\($0.red);\($0.green);\($0.blue)m" } ?? "\u{1B}[49m"
                background = nextBack
            }
            text += upper != nil ? "▀" : lower != nil ? "▄" : " "
        }
        return text + "\u{1B}[0m"
    }
}

private struct OpaqueColor: Equatable {
    let red, green, blue: UInt8

    /// Returns the colour of a pixel with at least half coverage, otherwise `nil`, which shows the terminal's
    /// background. The background is unknown, so nothing is blended: soft edges become hard, but there are no seams on
    /// any background.
    init?(_ pixel: Pixel) {
        guard pixel.alpha >= 128 else { return nil }
        let color = ImageColor(pixel)
        (red, green, blue) = (color.red, color.green, color.blue)
    }
}

extension PixelBuffer {
    /// Calls `body` for each row from the top, without padding. The pointer must not escape.
    fileprivate func forEachRow(_ body: (UnsafeBufferPointer<Pixel>) -> Void) {
        withUnsafeBytes { bytes in
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<(y * bytesPerRow + width * 4)])
                // `Pixel` has the same layout as the four bytes of a `PixelBuffer` pixel.
                row.withMemoryRebound(to: Pixel.self) { body($0) }
            }
        }
    }
}
