#if Server
import EaselCore

/// The colors of an image that suit a use: vibrant or muted ones, each light, dark or between. A use for which the
/// image has no color is left out, and no color has two uses.
struct DominantColors {
    private(set) var byName: [String: ImageColor] = [:]

    /// A use: the wanted and the allowed saturation and lightness, from 0 to 1.
    private struct Use {
        let name: String
        let saturation: (wanted: Double, allowed: ClosedRange<Double>)
        let lightness: (wanted: Double, allowed: ClosedRange<Double>)
    }

    private static let uses: [Use] = {
        let saturations = [("vibrant", 1, 0.35...1.0), ("muted", 0.3, 0.0...0.4)]
        let lightnesses = [("", 0.5, 0.3...0.7), ("light_", 0.74, 0.55...1.0), ("dark_", 0.26, 0.0...0.45)]
        return saturations.flatMap { kind, saturation, saturations in
            lightnesses.map { prefix, lightness, lightnesses in
                Use(
                    name: prefix + kind, saturation: (saturation, saturations), lightness: (lightness, lightnesses))
            }
        }
    }()

    init(_ palette: [(color: ImageColor, population: Int)]) {
        let most = Double(palette.map(\.population).max() ?? 1)
        var used: Set<ImageColor> = []
        for use in Self.uses {
            var best: (color: ImageColor, score: Double)?
            for (color, population) in palette where !used.contains(color) {
                let (saturation, lightness) = Self.components(of: color)
                guard use.saturation.allowed.contains(saturation), use.lightness.allowed.contains(lightness) else {
                    continue
                }
                // Lightness decides more than saturation and frequency.
                let score =
                    0.24 * (1 - abs(saturation - use.saturation.wanted))
                    + 0.52 * (1 - abs(lightness - use.lightness.wanted)) + 0.24 * Double(population) / most
                if score > best?.score ?? 0 { best = (color, score) }
            }
            guard let best else { continue }
            byName[use.name] = best.color
            used.insert(best.color)
        }
    }

    /// Returns saturation and lightness in HSL.
    private static func components(of color: ImageColor) -> (saturation: Double, lightness: Double) {
        let components = [color.red, color.green, color.blue].map { Double($0) / 255 }
        let (largest, least) = (components.max() ?? 0, components.min() ?? 0)
        let lightness = (largest + least) / 2
        let range = largest - least
        return (range == 0 ? 0 : range / (1 - abs(2 * lightness - 1)), lightness)
    }
}
#endif
