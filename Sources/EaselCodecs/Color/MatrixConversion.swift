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
