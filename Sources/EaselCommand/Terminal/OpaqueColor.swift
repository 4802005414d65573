import EaselCore

/// A colour without alpha, as half blocks and sixels need it.
struct OpaqueColor: Sendable, Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// A colour of three components.
    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// What is seen of `pixel`, or `nil` where it is wholly transparent and the terminal's own background shows.
    ///
    /// That colour is not known, so what shines through the rest is taken for black, which leaves the premultiplied
    /// components: soft edges fade away on a dark terminal, and are shadows on a light one.
    init?(_ pixel: Pixel) {
        if pixel.alpha == 0 { return nil }
        self.init(red: pixel.red, green: pixel.green, blue: pixel.blue)
    }
}

extension PixelBuffer {
    /// Row by row, the pixels without the padding, top row first.
    ///
    /// - Parameter body: receives the row's number and its pixels; the pointer must not leave it.
    func forEachRow(_ body: (_ y: Int, _ row: UnsafeBufferPointer<Pixel>) -> Void) {
        withUnsafeBytes { bytes in
            for y in 0..<height {
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<(y * bytesPerRow + width * 4)])
                // `Pixel` is four bytes in memory order, the very layout of a `PixelBuffer`.
                row.withMemoryRebound(to: Pixel.self) { body(y, $0) }
            }
        }
    }

    /// Row by row, what a terminal without alpha shows.
    var opaqueRows: [[OpaqueColor?]] {
        var rows: [[OpaqueColor?]] = []
        rows.reserveCapacity(height)
        forEachRow { _, row in rows.append(row.map(OpaqueColor.init)) }
        return rows
    }
}
