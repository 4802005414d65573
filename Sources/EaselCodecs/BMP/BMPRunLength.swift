import EaselCore

/// The two run-length codes that bitmaps of four and eight bits are compressed with.
struct BMPRunLength {
    let header: BMPHeader
    /// 256 pixels.
    let colors: [UInt32]

    private var x = 0
    /// Rows from the first one stored.
    private var y = 0

    init(header: BMPHeader, colors: [UInt32]) {
        self.header = header
        self.colors = colors
    }

    /// Draws the runs on a clear canvas. What no run covers stays clear; what would lie outside is left out. Returns whether
    /// the code came to its end.
    mutating func draw(_ file: Span<UInt8>, on canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) -> Bool {
        var offset = header.pixels
        var steps = 0
        while let count = file.byte(at: offset), let value = file.byte(at: offset + 1) {
            steps += 1
            if steps % (1 << 14) == 0, isCancelled() { throw .cancelled }
            offset += 2
            if count > 0 {
                drawRun(of: Int(count), value, on: canvas)
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return true
            case 2:
                guard let right = file.byte(at: offset), let down = file.byte(at: offset + 1) else { return false }
                (x, y) = (x + Int(right), y + Int(down))
                offset += 2
            default:
                guard let end = drawIndices(Int(value), file, at: offset, on: canvas) else { return false }
                offset = end
            }
        }
        // Some writers leave the end mark out.
        return y >= header.size.height || (y == header.size.height - 1 && x >= header.size.width)
    }

    private mutating func drawRun(of count: Int, _ value: UInt8, on canvas: Canvas) {
        let isWide = header.compression == .runLength8
        let first = colors[Int(isWide ? value : value >> 4)]
        let second = colors[Int(isWide ? value : value & 15)]
        if let row = row(on: canvas) {
            for index in 0..<max(0, min(count, header.size.width - x)) {
                row[x + index] = index % 2 == 0 ? first : second
            }
        }
        x += count
    }

    /// Indices as they are, filled up to a whole number of 16 bits. Returns where they end, or `nil` where the file does.
    private mutating func drawIndices(
        _ count: Int, _ file: Span<UInt8>, at offset: Int, on canvas: Canvas
    ) -> Int? {
        let isWide = header.compression == .runLength8
        let byteCount = isWide ? count : (count + 1) / 2
        guard offset + byteCount <= file.count else { return nil }
        if let row = row(on: canvas) {
            for index in 0..<max(0, min(count, header.size.width - x)) {
                let byte = file[offset + (isWide ? index : index / 2)]
                row[x + index] = colors[Int(isWide ? byte : index % 2 == 0 ? byte >> 4 : byte & 15)]
            }
        }
        x += count
        return offset + (byteCount + 1) / 2 * 2
    }

    /// The row that runs are drawn on now, or `nil` above the last one.
    private func row(on canvas: Canvas) -> UnsafeMutablePointer<UInt32>? {
        guard y < header.size.height else { return nil }
        return canvas.row(header.isTopDown ? y : header.size.height - 1 - y)
    }
}
