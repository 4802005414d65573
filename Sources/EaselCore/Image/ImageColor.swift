/// A colour as people write it: sRGB, eight bits a component, not premultiplied.
public struct ImageColor: Sendable, Hashable {
    /// Red.
    public var red: UInt8
    /// Green.
    public var green: UInt8
    /// Blue.
    public var blue: UInt8
    /// 255 is opaque.
    public var alpha: UInt8

    /// A colour of these components, opaque unless said otherwise.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A colour written as in CSS: `0xRRGGBB`. Higher bits are ignored.
    public init(_ hexadecimal: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: hexadecimal >> 16), green: UInt8(truncatingIfNeeded: hexadecimal >> 8),
            blue: UInt8(truncatingIfNeeded: hexadecimal), alpha: alpha)
    }

    /// The colour of a premultiplied pixel, rounded to nearest; of a clear one, `clear`.
    public init(_ pixel: Pixel) {
        let straight = PremultipliedPixel.straight(
            PremultipliedPixel.word(pixel))
        self.init(straight & 0xFF_FFFF, alpha: pixel.alpha)
    }

    /// The pixel of this colour, rounded to nearest.
    public var pixel: Pixel { PremultipliedPixel.pixel(word) }

    /// The same colour with another alpha.
    public func with(alpha: UInt8) -> ImageColor {
        ImageColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// Black, opaque.
    public static let black = ImageColor(0)
    /// White, opaque.
    public static let white = ImageColor(0xFF_FFFF)
    /// Nothing: black with an alpha of 0.
    public static let clear = ImageColor(0, alpha: 0)

    /// The premultiplied pixel as a word.
    var word: UInt32 {
        let opaque = 0xFF00_0000 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        return PremultipliedPixel.scaled(opaque, by: UInt32(alpha))
    }
}

extension ImageColor: CustomStringConvertible {
    /// `#rrggbb`, or `#rrggbbaa` where it is not opaque.
    public var description: String {
        let components = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + components.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
