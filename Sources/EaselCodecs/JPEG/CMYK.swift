import EaselCore

/// CMYK as JPEG files have it, shown with the plain formula: profiles are not applied.
enum CMYK {
    /// Turns the pixels of a picture, C, M, Y, K in memory, into opaque B, G, R, A in place.
    ///
    /// - Parameter isInverted: whether 255 stands for no ink, as it does in every file with Adobe's marker.
    static func convert(_ canvas: Canvas, isInverted: Bool) {
        let mask: UInt32 = isInverted ? 0 : .max
        for y in 0..<canvas.size.height {
            let row = canvas.row(y)
            for x in 0..<canvas.size.width {
                // Lightness of each ink: what it leaves of the light.
                let light = row[x] ^ mask
                let black = (light >> 24) & 0xFF
                row[x] = PackedPixel.opaque(
                    red: product(light & 0xFF, black), green: product((light >> 8) & 0xFF, black),
                    blue: product((light >> 16) & 0xFF, black))
            }
        }
    }

    @inline(__always)
    private static func product(_ a: UInt32, _ b: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (a &* b &+ 127) / 255)
    }
}
