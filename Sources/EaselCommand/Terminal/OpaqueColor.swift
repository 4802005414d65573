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

    /// What is seen of `pixel`: its own colour where it covers at least half of what is behind it, else `nil`, and the
    /// terminal's own background shows. What that is is not known, so that nothing is blended: soft edges become hard
    /// ones, and no picture gets a dark seam on a light terminal, or a light one on a dark.
    init?(_ pixel: Pixel) {
        guard pixel.alpha >= 128 else { return nil }
        let straight = { (component: UInt8) in UInt8(min(255, Int(component) * 255 / Int(pixel.alpha))) }
        self.init(red: straight(pixel.red), green: straight(pixel.green), blue: straight(pixel.blue))
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
