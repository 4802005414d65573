import EaselCore

/// The code of QOI: each pixel by what differs from the one before, or by its place in a table of 64 that came lately.
enum QOIReader {
    static let headerSize = 14

    /// Writes the pixels, their colours not premultiplied. Returns whether all of them are there; the rest is clear.
    static func read(_ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        var recent = QOIRecentPixels()
        var pixel: UInt32 = 0xFF00_0000
        var offset = headerSize
        var run = 0
        for y in 0..<canvas.size.height {
            if y % 64 == 0, isCancelled() { throw .cancelled }
            let row = canvas.row(y)
            for x in 0..<canvas.size.width {
                if run > 0 {
                    run -= 1
                } else if let length = next(file, &offset, &pixel, &recent) {
                    run = length - 1
                } else {
                    clear(canvas, fromX: x, y: y)
                    return false
                }
                row[x] = pixel
            }
        }
        return true
    }

    private static func clear(_ canvas: Canvas, fromX x: Int, y: Int) {
        let width = canvas.size.width
        canvas.clear(PixelRectangle(x: x, y: y, size: PixelSize(width - x, 1)))
        canvas.clear(PixelRectangle(x: 0, y: y + 1, size: PixelSize(width, canvas.size.height - y - 1)))
    }

    /// Reads one step, and returns how many pixels it stands for; `nil` where the file ends first.
    @inline(__always)
    private static func next(
        _ file: Span<UInt8>, _ offset: inout Int, _ pixel: inout UInt32, _ recent: inout QOIRecentPixels
    ) -> Int? {
        // The eight bytes of the end mark are behind every step, so that a step of five bytes is whole where its first is.
        guard offset < file.count - 8 else { return nil }
        let tag = file[offset]
        offset += 1
        switch tag {
        case 0xFE, 0xFF:
            let alpha = tag == 0xFF ? UInt32(file[offset + 3]) << 24 : pixel & 0xFF00_0000
            pixel = alpha | UInt32(file[offset]) << 16 | UInt32(file[offset + 1]) << 8 | UInt32(file[offset + 2])
            offset += tag == 0xFF ? 4 : 3
        case 0xC0...: return Int(tag & 0x3F) + 1
        case ..<0x40:
            pixel = recent[tag]
            return 1
        case ..<0x80:
            pixel = adding(pixel, Int(tag >> 4 & 3) - 2, Int(tag >> 2 & 3) - 2, Int(tag & 3) - 2)
        default:
            let green = Int(tag & 0x3F) - 32
            let rest = file[offset]
            offset += 1
            pixel = adding(pixel, green - 8 + Int(rest >> 4), green, green - 8 + Int(rest & 15))
        }
        recent.insert(pixel)
        return 1
    }

    /// Components wrap around at 256.
    @inline(__always)
    private static func adding(_ pixel: UInt32, _ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
        let red = ((pixel >> 16) &+ UInt32(truncatingIfNeeded: red)) & 0xFF
        let green = ((pixel >> 8) &+ UInt32(truncatingIfNeeded: green)) & 0xFF
        let blue = (pixel &+ UInt32(truncatingIfNeeded: blue)) & 0xFF
        return pixel & 0xFF00_0000 | red << 16 | green << 8 | blue
    }
}

/// The 64 pixels that came last of those with the same hash.
struct QOIRecentPixels {
    private var pixels = [UInt32](repeating: 0, count: 64)

    /// The pixel with a hash below 64.
    subscript(_ hash: UInt8) -> UInt32 { pixels[Int(hash & 63)] }

    mutating func insert(_ pixel: UInt32) { pixels[Int(Self.hash(pixel))] = pixel }

    static func hash(_ pixel: UInt32) -> UInt8 {
        let red = pixel >> 16 & 0xFF
        let green = pixel >> 8 & 0xFF
        let blue = pixel & 0xFF
        return UInt8(truncatingIfNeeded: (red &* 3 &+ green &* 5 &+ blue &* 7 &+ (pixel >> 24) &* 11) & 63)
    }
}
