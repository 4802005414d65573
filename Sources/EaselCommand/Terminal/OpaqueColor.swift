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
    /// What shines through the rest is taken for a middle grey: the terminal's colour is not known, and grey edges are
    /// inconspicuous on dark and on light ones.
    init?(_ pixel: Pixel) {
        if pixel.alpha == 0 { return nil }
        let behind = 128 * Int(255 - pixel.alpha) / 255
        self.init(
            red: UInt8(min(255, Int(pixel.red) + behind)), green: UInt8(min(255, Int(pixel.green) + behind)),
            blue: UInt8(min(255, Int(pixel.blue) + behind)))
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
