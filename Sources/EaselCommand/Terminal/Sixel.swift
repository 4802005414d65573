import EaselCore

/// Pictures as sixels: columns of six pixels, one colour of a palette at a time.
enum Sixel {
    /// The colours that every sixel terminal has registers for.
    static let colorLimit = 256

    /// The escape code that shows the picture at the cursor, pixel for pixel.
    static func encode(_ pixels: PixelBuffer) -> String {
        var picture = DitheredPicture(pixels, colorLimit: colorLimit)
        // Square pixels, the size ahead, and what is not drawn keeps the terminal's background.
        var text = "\u{1B}P0;1;0q\"1;1;\(pixels.width);\(pixels.height)"
        for (index, color) in picture.palette.colors.enumerated() {
            text += "#\(index);2;\(percent(color.red));\(percent(color.green));\(percent(color.blue))"
        }
        for top in stride(from: 0, to: pixels.height, by: 6) {
            if top > 0 { text += "-" }
            text += band(picture.rows(top..<min(top + 6, pixels.height)))
        }
        return text + "\u{1B}\\"
    }

    private static func percent(_ component: UInt8) -> Int { (Int(component) * 100 + 127) / 255 }

    /// Up to six rows of palette indices, written a colour at a time over the whole width.
    private static func band(_ rows: [[Int?]]) -> String {
        var columns: [Int: [UInt8]] = [:]
        let width = rows[0].count
        for (bit, row) in rows.enumerated() {
            for (x, index) in row.enumerated() {
                guard let index else { continue }
                columns[index, default: Array(repeating: 0, count: width)][x] |= 1 << UInt8(bit)
            }
        }
        return columns.sorted { $0.key < $1.key }.map { "#\($0.key)" + runs($0.value) }.joined(separator: "$")
    }

    /// The columns of one colour, with repeats shortened to `!count`.
    private static func runs(_ columns: [UInt8]) -> String {
        var bytes: [UInt8] = []
        var x = 0
        // Empty columns at the end need not be drawn.
        let end = (columns.lastIndex { $0 != 0 } ?? -1) + 1
        while x < end {
            let start = x
            while x < end, columns[x] == columns[start] { x += 1 }
            let sixel = 0x3F + columns[start]
            if x - start > 3 {
                bytes += Array("!\(x - start)".utf8) + [sixel]
            } else {
                bytes += Array(repeating: sixel, count: x - start)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
