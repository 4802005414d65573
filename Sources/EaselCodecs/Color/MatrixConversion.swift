import CEaselPixels

/// A conversion between RGB spaces of primaries and curves: three table rows added for each pixel, then a curve.
///
/// Uses 14 bits, like lcms2's conversion of 8-bit pixels, with identical results at several times the speed.
struct MatrixConversion: Sendable {
    /// The words of an `easel_color_matrix`.
    private let table: [Int32]

    /// Returns `nil` for profiles that need more than a matrix, or are invalid.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard source.isMatrix, let from = source.colorants, let to = target.colorants?.inverse,
            let light = source.light(count: 256)
        else { return nil }
        // lcms2 converts a profile with a light black point, which needs compensation.
        guard light.allSatisfy({ $0[0] < 0.5 / Float(EASEL_COLOR_ONE) }) else { return nil }
        self.init(to * from, light: light)
    }

    /// - Parameters:
    ///   - matrix: converts light to light.
    ///   - light: the light of red, green and blue for each of 256 values.
    init?(_ matrix: Matrix3, light: [[Float]]) {
        let one = Double(EASEL_COLOR_ONE)
        // The sum of a row must fit 32 bits: 2^14 * 2^14 * 7.
        guard matrix.rows.allSatisfy({ row in row.reduce(0) { $0 + $1.magnitude } < 7 }),
            light.allSatisfy({ $0.allSatisfy { $0.isFinite } })
        else { return nil }
        var table: [Int32] = []
        table.reserveCapacity(3 * 256 * 4)
        for channel in 0..<3 {
            let factors = [2, 1, 0].map { Int32((matrix.rows[$0][channel] * one + 0.5).rounded(.down)) }
            let rounding: Int32 = channel == 2 ? 1 << (EASEL_COLOR_SHIFT - 1) : 0
            for value in light[channel] {
                let amount = Int32((Double(min(max(value, 0), 1)) * one + 0.5).rounded(.down))
                table += factors.map { amount * $0 + rounding } + [0]
            }
        }
        self.table = table
    }

    var byteCount: Int { table.count * MemoryLayout<Int32>.stride }

    /// Converts premultiplied pixels in place.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        table.withUnsafeBytes { words in
            // The structure has 3 * 256 * 4 words.
            guard let matrix = words.baseAddress?.assumingMemoryBound(to: easel_color_matrix.self) else { return }
            easel_color_convert(matrix, OutputCurve.values, pixels, count)
        }
    }
}

/// `MatrixConversion` for 16-bit samples, for which lcms2 would use a coarse table.
struct MatrixWordConversion: Sendable {
    private static let steps = 4096

    /// The light of each value, for red, then green, then blue.
    private let light: [Float]
    private let matrix: LightMatrix

    /// Returns `nil` for profiles that need more than a matrix, or are invalid.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard source.isMatrix, let from = source.colorants, let to = target.colorants?.inverse,
            let light = source.light(count: Self.steps + 1)?.flatMap(\.self), light.allSatisfy({ $0.isFinite })
        else { return nil }
        self.light = light
        matrix = LightMatrix(to * from)
        guard matrix.isFinite else { return nil }
    }

    var byteCount: Int { light.count * MemoryLayout<Float>.stride }

    /// Converts 16-bit R, G, B, A to B, G, R. The fourth byte is undefined.
    func convert(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                pixels[x] = OutputCurve.pixel(matrix.applied(to: Self.color(samples + x &* 4, light)))
            }
        }
    }

    /// Converts 16-bit R, G, B, A in place. Alpha is unchanged.
    func convert(_ words: UnsafeMutablePointer<UInt16>, count: Int) {
        let curve = OutputCurve.words
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let color = matrix.applied(to: Self.color(words + x &* 4, light))
                for channel in 0..<3 { words[x &* 4 &+ channel] = OutputCurve.word(color[channel], curve) }
            }
        }
    }

    @inline(__always)
    private static func color(_ source: UnsafePointer<UInt16>, _ light: UnsafeBufferPointer<Float>) -> SIMD3<Float> {
        func amount(_ channel: Int) -> Float {
            let position = Float(source[channel]) * (Float(steps) / 65_535)
            let index = min(Int(position), steps - 1)
            let start = channel * (steps + 1) + index
            return light[start] + (light[start + 1] - light[start]) * (position - Float(index))
        }
        return SIMD3(amount(0), amount(1), amount(2))
    }
}

/// A matrix for light of red, green and blue.
struct LightMatrix: Sendable {
    private let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    init(_ matrix: Matrix3) {
        func row(_ index: Int) -> SIMD3<Float> { SIMD3(matrix.rows[index].map(Float.init)) }
        rows = (row(0), row(1), row(2))
    }

    var isFinite: Bool { applied(to: SIMD3(repeating: 0)) == SIMD3(repeating: 0) }

    @inline(__always)
    func applied(to color: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3((color * rows.0).sum(), (color * rows.1).sum(), (color * rows.2).sum())
    }
}

struct Matrix3: Hashable, Sendable {
    var rows: [[Double]]

    init(rows: [[Double]]) { self.rows = rows }

    init(columns: [[Double]]) {
        rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(
            rows: left.rows.map { row in
                (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right.rows[$1][column] } }
            })
    }

    /// The inverse; `nil` for a singular matrix.
    var inverse: Matrix3? {
        func minor(_ row: Int, _ column: Int) -> Double {
            let (r, s) = ((row + 1) % 3, (row + 2) % 3)
            let (c, d) = ((column + 1) % 3, (column + 2) % 3)
            return rows[r][c] * rows[s][d] - rows[r][d] * rows[s][c]
        }
        let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * minor(0, $1) }
        guard determinant.isFinite, determinant.magnitude > 1e-9 else { return nil }
        return Matrix3(rows: (0..<3).map { row in (0..<3).map { minor($0, row) / determinant } })
    }
}
