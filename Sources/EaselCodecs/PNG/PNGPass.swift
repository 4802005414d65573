import EaselCore

/// The pixels that one pass of an interlaced PNG holds: every `stepX`th of every `stepY`th row (PNG 8.2).
struct PNGPass: Equatable {
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int

    /// The one pass of a picture that is not interlaced.
    static let whole = PNGPass(x: 0, y: 0, stepX: 1, stepY: 1)

    /// Adam7's seven passes.
    static let adam7 = [
        PNGPass(x: 0, y: 0, stepX: 8, stepY: 8), PNGPass(x: 4, y: 0, stepX: 8, stepY: 8),
        PNGPass(x: 0, y: 4, stepX: 4, stepY: 8), PNGPass(x: 2, y: 0, stepX: 4, stepY: 4),
        PNGPass(x: 0, y: 2, stepX: 2, stepY: 4), PNGPass(x: 1, y: 0, stepX: 2, stepY: 2),
        PNGPass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]

    /// How many columns and rows of a picture of `size` the pass has; either may be 0.
    func size(in size: PixelSize) -> PixelSize {
        PixelSize(
            max(0, (size.width - x + stepX - 1) / stepX),
            max(0, (size.height - y + stepY - 1) / stepY))
    }
}

/// Where a pass puts its pixels.
struct PNGPassTarget {
    let pass: PNGPass
    let bytes: UnsafeMutableRawBufferPointer
    let bytesPerRow: Int
    /// Pixels that the pass has in a row.
    let width: Int

    /// Whether the pixels of a row lie side by side.
    var isDirect: Bool { pass.stepX == 1 }

    /// The place for a row whose pixels lie side by side; `nil` where the pass has gaps between them.
    func directRow(_ row: Int) -> UnsafeMutableRawBufferPointer? {
        guard isDirect else { return nil }
        let start = offset(ofRow: row)
        return UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + width * 4)])
    }

    /// Puts the pixels of a row where they belong: `x + column * stepX` is inside the picture for every column that
    /// `PNGPass.size(in:)` counted.
    func scatter(_ row: UnsafeRawBufferPointer, row number: Int) {
        guard let start = bytes.baseAddress, let from = row.baseAddress, row.count >= width * 4 else { return }
        let target = start.advanced(by: offset(ofRow: number)).assumingMemoryBound(to: UInt32.self)
        let source = from.assumingMemoryBound(to: UInt32.self)
        for column in 0..<width { target[pass.x &+ column &* pass.stepX] = source[column] }
    }

    private func offset(ofRow row: Int) -> Int { (pass.y + row * pass.stepY) * bytesPerRow }
}
