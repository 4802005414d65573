import EaselCore

/// C, M, Y, K as JPEG files have them, and how they are shown: by the embedded profile, else by the plain formula.
struct CMYK {
    private let conversion: ColorConversion?
    private let isInverted: Bool
    /// What the colours are after `convert`: `nil` for those that were asked for.
    let colors: ColorDescription?

    /// - Parameters:
    ///   - colors: what the file says of them.
    ///   - isInverted: whether 255 stands for no ink, as it does in every file with Adobe's marker.
    init(_ colors: ColorDescription, isInverted: Bool, to space: ColorSpace) {
        self.isInverted = isInverted
        if case .profile = colors {
            conversion = ColorConversion.from(colors, to: space, of: .inks(isInverted: isInverted))
        } else {
            conversion = nil
        }
        self.colors = conversion == nil ? .sRGB : nil
    }

    /// Turns the pixels of a picture, C, M, Y, K in memory, into opaque B, G, R, A in place.
    func convert(_ canvas: Canvas, isCancelled: () -> Bool) throws(ImageError) {
        if let conversion { return try conversion.convertInks(canvas, isCancelled: isCancelled) }
        Self.convert(canvas, isInverted: isInverted)
    }

    /// The plain formula.
    private static func convert(_ canvas: Canvas, isInverted: Bool) {
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
