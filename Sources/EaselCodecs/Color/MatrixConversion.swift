import CEaselPixels

/// From one RGB space of primaries and curves to another: three table rows added a pixel, and a curve.
///
/// In 14 bits, like lcms2's own such conversion of 8-bit pixels, and so to the same bytes at several times the speed.
struct MatrixConversion: Sendable {
    /// `easel_color_matrix`, as the words that it is made of.
    private let table: [Int32]

    /// `nil` for profiles that need more than that, or make no sense.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard source.isMatrix, let from = source.colorants, let to = target.colorants?.inverse,
            let light = source.light(count: 256)
        else { return nil }
        // Black that is not dark is compensated for, which is not done here.
        guard light.allSatisfy({ $0[0] < 0.5 / Float(EASEL_COLOR_ONE) }) else { return nil }
        self.init(to * from, light: light)
    }

    /// - Parameters:
    ///   - matrix: from light to light.
    ///   - light: of red, green and blue, for each of 256 values.
    init?(_ matrix: Matrix3, light: [[Float]]) {
        let one = Double(EASEL_COLOR_ONE)
        // The sum of a row has to fit 32 bits: 2^14 * 2^14 * 7.
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

    /// The bytes that it takes.
    var byteCount: Int { table.count * MemoryLayout<Int32>.stride }

    /// Premultiplied pixels, where they are.
    func convert(_ pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        table.withUnsafeBytes { words in
            // 3 * 256 * 4 words, which is what the structure has.
            guard let matrix = words.baseAddress?.assumingMemoryBound(to: easel_color_matrix.self) else { return }
            easel_color_convert(matrix, OutputCurve.values, pixels, count)
        }
    }
}

/// `MatrixConversion` for samples of 16 bits, of which lcms2 would make a coarse table.
struct MatrixWordConversion: Sendable {
    private static let steps = 4096

    /// The light of red, green and blue by value, one after the other.
    private let light: [Float]
    private let rows: [SIMD3<Float>]

    /// `nil` for profiles that need more than primaries and curves, or make no sense.
    init?(from source: LittleCMSProfile, to target: LittleCMSProfile) {
        guard source.isMatrix, let from = source.colorants, let to = target.colorants?.inverse,
            let light = source.light(count: Self.steps + 1)?.flatMap(\.self), light.allSatisfy({ $0.isFinite })
        else { return nil }
        self.light = light
        rows = (to * from).rows.map { SIMD3($0.map(Float.init)) }
        guard rows.allSatisfy({ $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }) else { return nil }
    }

    /// The bytes that it takes.
    var byteCount: Int { light.count * MemoryLayout<Float>.stride }

    /// R, G, B, A in 16 bits to B, G, R; the fourth byte is undefined.
    func convert(_ samples: UnsafePointer<UInt16>, to pixels: UnsafeMutablePointer<UInt32>, count: Int) {
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let color = Self.color(samples + x &* 4, light)
                let red = OutputCurve.value((color * rows[0]).sum())
                let green = OutputCurve.value((color * rows[1]).sum())
                let blue = OutputCurve.value((color * rows[2]).sum())
                pixels[x] = red << 16 | green << 8 | blue
            }
        }
    }

    /// R, G, B, A in 16 bits, where they are; alpha stays as it is.
    func convert(_ words: UnsafeMutablePointer<UInt16>, count: Int) {
        light.withUnsafeBufferPointer { light in
            for x in 0..<count {
                let color = Self.color(words + x &* 4, light)
                for channel in 0..<3 { words[x &* 4 &+ channel] = OutputCurve.word((color * rows[channel]).sum()) }
            }
        }
    }

    @inline(__always)
    private static func color(_ source: UnsafePointer<UInt16>, _ light: UnsafeBufferPointer<Float>) -> SIMD3<Float> {
        func amount(_ channel: Int) -> Float {
            let place = Float(source[channel]) * (Float(steps) / 65_535)
            let index = min(Int(place), steps - 1)
            let start = channel * (steps + 1) + index
            return light[start] + (light[start + 1] - light[start]) * (place - Float(index))
        }
        return SIMD3(amount(0), amount(1), amount(2))
    }
}

/// Three rows of three numbers.
struct Matrix3: Hashable, Sendable {
    var rows: [[Double]]

    init(rows: [[Double]]) {
        self.rows = rows
    }

    init(columns: [[Double]]) {
        rows = (0..<3).map { row in (0..<3).map { columns[$0][row] } }
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(
            rows: left.rows.map { row in
                (0..<3).map { column in (0..<3).reduce(0) { $0 + row[$1] * right.rows[$1][column] } }
            })
    }

    /// `nil` for a matrix that cannot be turned round.
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
