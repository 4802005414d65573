import EaselCore

/// The colors of a file. If a file has several descriptions, the coder picks one by the rules of its format and passes
/// it to `DecodedImage.init(stored:header:options:colors:isPartial:)`, which converts.
enum ColorDescription: Sendable, Hashable {
    /// sRGB, the default for a file without a description.
    case sRGB
    /// An ICC profile.
    case profile(ICCProfile)
    /// Code points of ITU-T H.273: PNG's cICP, the `nclx` of AVIF and HEIC, the enumerated spaces of JPEG XL.
    case codePoints(CodePoints)
    /// Primaries with a single exponent: PNG's cHRM and gAMA, EXIF's Adobe RGB.
    case power(Chromaticities, exponent: Double)

    /// Adobe RGB (1998), which EXIF identifies by the name of its option file.
    static let adobeRGB = ColorDescription.power(.adobeRGB, exponent: 563.0 / 256)

    /// The code points of HDR; `nil` for other colors.
    var highDynamicRange: CodePoints? {
        let points: CodePoints? =
            switch self {
            case .codePoints(let points): points
            // An HDR profile can contain code points (ICC.1:2022, 9.2.17). Its curves alone would make the image too
            // dark.
            case .profile(let profile): profile.codePoints
            case .sRGB, .power: nil
            }
        return points?.isHDR == true ? points : nil
    }

    /// Whether the colors are known to be sRGB without building a conversion.
    var isSRGB: Bool {
        switch self {
        case .sRGB: true
        case .profile: false
        case .codePoints(let points): points.chromaticities == .sRGB && points.curve == .sRGB && !points.isHDR
        case .power(let chromaticities, let exponent):
            // A tolerance of 5 %, as in libpng, since writers round.
            chromaticities.isNear(.sRGB) && (exponent / 2.2 - 1).magnitude < 0.05
        }
    }
}

/// Coding-independent code points (ITU-T H.273). Unknown numbers are preserved, and shown as sRGB.
///
/// Excludes the matrix and the range, which concern only the conversion from YCbCr to RGB.
struct CodePoints: Sendable, Hashable {
    /// ColorPrimaries: 1 BT.709, 9 BT.2020, 12 Display P3, 2 unspecified.
    var primaries: Int
    /// TransferCharacteristics: 13 sRGB, 8 linear, 16 PQ, 18 HLG, 2 unspecified.
    var transfer: Int

    static let displayP3 = CodePoints(primaries: 12, transfer: 13)
    static let perceptualBT2020 = CodePoints(primaries: 9, transfer: perceptualQuantizer)

    /// A transfer function.
    enum Curve: Hashable {
        case sRGB
        case power(Double)
    }

    /// Whether the range exceeds SDR white, which requires tone mapping.
    var isHDR: Bool { transfer == Self.perceptualQuantizer || transfer == Self.hybridLogGamma }

    static let perceptualQuantizer = 16
    static let hybridLogGamma = 18

    /// The chromaticities of H.273 table 2.
    var chromaticities: Chromaticities {
        switch primaries {
        case 4: Chromaticities(white: .c, red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08))
        case 5: Chromaticities(red: .init(0.64, 0.33), green: .init(0.29, 0.60), blue: .init(0.15, 0.06))
        case 6, 7: Chromaticities(red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070))
        case 8:
            Chromaticities(white: .c, red: .init(0.681, 0.319), green: .init(0.243, 0.692), blue: .init(0.145, 0.049))
        case 9: .bt2020
        case 11:
            Chromaticities(
                white: .init(0.314, 0.351), red: Chromaticities.displayP3.red, green: Chromaticities.displayP3.green,
                blue: Chromaticities.displayP3.blue)
        case 12: .displayP3
        case 22: Chromaticities(red: .init(0.630, 0.340), green: .init(0.295, 0.605), blue: .init(0.155, 0.077))
        default: .sRGB
        }
    }

    /// The curve of H.273 table 3. BT.709 and its variants map to sRGB, as in browsers: they define the curve of
    /// cameras, and files that declare them were made on sRGB displays.
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
    /// Returns the code points to write; `nil` for sRGB, the default of readers, and for unconverted colors.
    init?(_ colors: DeepColors) {
        switch colors {
        case .perceptualQuantizer: self = .perceptualBT2020
        case .standard(.displayP3): self = .displayP3
        case .standard(.sRGB), .standard(.unconverted): return nil
        }
    }
}

/// The white point and the primaries in CIE 1931 x, y.
struct Chromaticities: Sendable, Hashable {
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    var white = Point.d65
    var red: Point
    var green: Point
    var blue: Point

    static let sRGB = Chromaticities(red: .init(0.64, 0.33), green: .init(0.30, 0.60), blue: .init(0.15, 0.06))
    static let displayP3 = Chromaticities(red: .init(0.68, 0.32), green: .init(0.265, 0.69), blue: .init(0.15, 0.06))
    static let adobeRGB = Chromaticities(red: .init(0.64, 0.33), green: .init(0.21, 0.71), blue: .init(0.15, 0.06))
    static let bt2020 = Chromaticities(red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046))

    /// Returns whether both are equal except for rounding.
    func isNear(_ other: Chromaticities) -> Bool {
        let paths = [\Self.white, \.red, \.green, \.blue]
        return paths.allSatisfy { path in
            let (a, b) = (self[keyPath: path], other[keyPath: path])
            return (a.x - b.x).magnitude < 0.001 && (a.y - b.y).magnitude < 0.001
        }
    }

    /// Whether the primaries form a triangle that contains the white point, so that a matrix exists.
    var isValid: Bool {
        func isBelow(_ a: Point, _ b: Point) -> Bool {
            (b.x - a.x) * (white.y - a.y) - (b.y - a.y) * (white.x - a.x) > 1e-4
        }
        let points = [white, red, green, blue]
        return points.allSatisfy { $0.x.magnitude <= 1 && $0.y.magnitude <= 1 } && white.y > 0.01
            && isBelow(red, green) && isBelow(green, blue) && isBelow(blue, red)
    }
}

extension Chromaticities.Point {
    static let d65 = Chromaticities.Point(0.3127, 0.3290)
    static let c = Chromaticities.Point(0.310, 0.316)
}
