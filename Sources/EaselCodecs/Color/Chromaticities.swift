/// Where white and the three primaries lie in CIE 1931 x, y.
struct Chromaticities: Sendable, Hashable {
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double

        init(_ x: Double, _ y: Double) {
            self.x = x
            self.y = y
        }
    }

    var white: Point
    var red: Point
    var green: Point
    var blue: Point

    static let sRGB = Chromaticities(
        white: .d65, red: Point(0.64, 0.33), green: Point(0.30, 0.60), blue: Point(0.15, 0.06))
    static let displayP3 = Chromaticities(
        white: .d65, red: Point(0.680, 0.320), green: Point(0.265, 0.690), blue: Point(0.150, 0.060))
    static let adobeRGB = Chromaticities(
        white: .d65, red: Point(0.64, 0.33), green: Point(0.21, 0.71), blue: Point(0.15, 0.06))
    static let bt2020 = Chromaticities(
        white: .d65, red: Point(0.708, 0.292), green: Point(0.170, 0.797), blue: Point(0.131, 0.046))

    /// Whether they are the same but for how they were rounded.
    func isNear(_ other: Chromaticities) -> Bool {
        let paths = [\Self.white, \.red, \.green, \.blue]
        return paths.allSatisfy { path in
            let (a, b) = (self[keyPath: path], other[keyPath: path])
            return (a.x - b.x).magnitude < 0.001 && (a.y - b.y).magnitude < 0.001
        }
    }

    /// Whether the four points span a triangle with white inside it, so that they can be calculated with.
    var isSound: Bool {
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
}
