public import EaselFoundation

/// The URLs of one image in several sizes, as in HTML's `srcset` attribute.
public struct ImageSourceSet: Sendable, Hashable {
    private struct Candidate: Hashable {
        var url: URL
        /// Pixels across; `nil` for a candidate with a density.
        var width: Double?
        var density = 1.0

        /// The pixels per point in an image of this many points across.
        func density(forWidth points: Double) -> Double {
            width.map { points > 0 ? $0 / points : .infinity } ?? density
        }
    }

    private var candidates: [Candidate] = []

    /// Parses a `srcset` attribute: `small.jpg 320w, large.jpg 1280w` or `image.jpg, image@2x.jpg 2x`. Drops what HTML
    /// drops: a candidate with a malformed descriptor.
    ///
    /// - Parameter base: The base of relative URLs.
    public init(_ attribute: String, relativeTo base: URL? = nil) {
        var rest = attribute[...]
        while true {
            rest = rest.drop { $0.isHTMLSpace || $0 == "," }
            guard !rest.isEmpty else { return }
            var text = rest.prefix { !$0.isHTMLSpace }
            rest = rest.dropFirst(text.count)
            var descriptors = ""
            if text.last == "," {
                while text.last == "," { text.removeLast() }
            } else {
                descriptors = Self.removeDescriptors(from: &rest)
            }
            if let url = URL(string: String(text), relativeTo: base)?.absoluteURL,
                let candidate = Self.candidate(url, descriptors)
            {
                candidates.append(candidate)
            }
        }
    }

    /// Returns the URL for an image that is shown at a width: the least dense one that has a pixel for every pixel of
    /// the screen, or else the densest; `nil` for an empty set.
    ///
    /// - Parameters:
    ///   - width: The width of the image in points.
    ///   - scale: The pixels per point of the screen.
    public func url(width: Double, scale: Double = 1) -> URL? {
        let densities = candidates.map { $0.density(forWidth: width) }
        // The first of equal ones.
        let best = candidates.indices.min { first, second in
            let (one, other) = (densities[first], densities[second])
            if (one >= scale) != (other >= scale) { return one >= scale }
            return one >= scale ? one < other : one > other
        }
        return best.map { candidates[$0].url }
    }

    /// Removes everything to the next comma outside of parentheses, and returns it.
    private static func removeDescriptors(from rest: inout Substring) -> String {
        var depth = 0
        let text = rest.prefix { character in
            if character == "(" { depth += 1 } else if character == ")", depth > 0 { depth -= 1 }
            return character != "," || depth > 0
        }
        rest = rest.dropFirst(text.count)
        return String(text)
    }

    private static func candidate(_ url: URL, _ descriptors: String) -> Candidate? {
        var candidate = Candidate(url: url)
        var (hasDensity, hasHeight) = (false, false)
        for descriptor in descriptors.split(whereSeparator: \.isHTMLSpace) {
            let number = descriptor.dropLast()
            switch descriptor.last {
            case "w" where candidate.width == nil && !hasDensity:
                guard let width = positive(number) else { return nil }
                candidate.width = Double(width)
            case "x" where candidate.width == nil && !hasDensity && !hasHeight:
                guard number.allSatisfy({ "0123456789.eE+-".contains($0) }), number.first != "+",
                    let density = Double(number), density >= 0, density.isFinite
                else { return nil }
                (candidate.density, hasDensity) = (density, true)
            case "h" where !hasDensity && !hasHeight:
                guard positive(number) != nil else { return nil }
                hasHeight = true
            default: return nil
            }
        }
        // A height is only allowed beside a width.
        return hasHeight && candidate.width == nil ? nil : candidate
    }

    private static func positive(_ text: Substring) -> Int? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(text), number > 0 else { return nil }
        return number
    }
}

extension Character {
    /// Whether this is white space in HTML's attributes.
    fileprivate var isHTMLSpace: Bool { " \t\n\r\u{C}".contains(self) || self == "\r\n" }
}
