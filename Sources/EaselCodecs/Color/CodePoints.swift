import EaselCore

/// Coding-independent code points (ITU-T H.273). The numbers are kept as they are: unknown ones are shown as sRGB.
///
/// The matrix and the range concern those who make R, G, B of Y, Cb, Cr, and are not here.
struct CodePoints: Sendable, Hashable {
    /// ColourPrimaries: 1 BT.709, 9 BT.2020, 12 Display P3, 2 unspecified.
    var primaries: Int
    /// TransferCharacteristics: 13 sRGB, 8 linear, 16 PQ, 18 HLG, 2 unspecified.
    var transfer: Int

    static let displayP3 = CodePoints(primaries: 12, transfer: 13)
    static let perceptualBT2020 = CodePoints(primaries: 9, transfer: perceptualQuantizer)

    /// What light the numbers stand for.
    enum Curve: Hashable {
        case sRGB
        case power(Double)
    }

    /// Whether brightness goes beyond SDR's white: it is tone mapped.
    var isHDR: Bool { transfer == Self.perceptualQuantizer || transfer == Self.hybridLogGamma }

    static let perceptualQuantizer = 16
    static let hybridLogGamma = 18

    /// H.273 table 2.
    var chromaticities: Chromaticities {
        typealias Point = Chromaticities.Point
        let illuminantC = Point(0.310, 0.316)
        switch primaries {
        case 4:
            return Chromaticities(
                white: illuminantC, red: Point(0.67, 0.33), green: Point(0.21, 0.71), blue: Point(0.14, 0.08))
        case 5:
            return Chromaticities(
                white: .d65, red: Point(0.64, 0.33), green: Point(0.29, 0.60), blue: Point(0.15, 0.06))
        case 6, 7:
            return Chromaticities(
                white: .d65, red: Point(0.630, 0.340), green: Point(0.310, 0.595), blue: Point(0.155, 0.070))
        case 8:
            return Chromaticities(
                white: illuminantC, red: Point(0.681, 0.319), green: Point(0.243, 0.692), blue: Point(0.145, 0.049))
        case 9: return .bt2020
        case 11:
            var cinema = Chromaticities.displayP3
            cinema.white = Point(0.314, 0.351)
            return cinema
        case 12: return .displayP3
        case 22:
            return Chromaticities(
                white: .d65, red: Point(0.630, 0.340), green: Point(0.295, 0.605), blue: Point(0.155, 0.077))
        default: return .sRGB
        }
    }

    /// H.273 table 3. The curves of BT.709 and its kin are those of cameras: what they took is shown by the curve of a
    /// display, and files that name them were made on displays of sRGB. Browsers do the same.
    var curve: Curve {
        switch transfer {
        case 4: .power(2.2)
        case 5: .power(2.8)
        case 8: .power(1)
        case 17: .power(2.6)
        default: .sRGB
        }
    }
}

extension CodePoints {
    /// What a file has to say of pixels; `nil` for sRGB, which is what files without a word are taken for, and for numbers
    /// that nobody knows.
    init?(_ colors: DeepColors) {
        switch colors {
        case .perceptualQuantizer: self = .perceptualBT2020
        case .standard(.displayP3): self = .displayP3
        case .standard(.sRGB), .standard(.unconverted): return nil
        }
    }
}
