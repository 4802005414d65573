/// Cosines of multiples of half turns, which both hashes weigh places by.
struct CosineTable {
    private let values: [Double]
    private let places: Int

    /// `cos(pi * wave * (place + shift) / places)` for waves below `waves`.
    init(places: Int, waves: Int, shift: Double) {
        self.places = places
        values = (0..<waves).flatMap { wave in
            (0..<places).map { place in
                let angle = 180 * Double(wave) * (Double(place) + shift) / Double(places)
                return ReproducibleMath.sineAndCosine(degrees: angle).cosine
            }
        }
    }

    subscript(wave: Int, place: Int) -> Double { values[wave * places + place] }
}
