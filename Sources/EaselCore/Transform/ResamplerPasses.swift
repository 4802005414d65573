/// The two loops that resampling spends its time in: first down, then across.
enum ResamplerPasses {
    /// Bits behind the point that a value keeps between the passes: 255 and the filter's overshoot still fit 16 bits.
    private static let fraction: Int32 = 6
    private static let weightBits: Int32 = 14

    /// Adds up as many rows as there are weights, component by component.
    ///
    /// - Parameters:
    ///   - rows: the first row; all have `bytesPerRow` bytes, a multiple of 64.
    ///   - line: room for `bytesPerRow` values.
    static func blendRows(
        _ rows: UnsafeRawPointer, bytesPerRow: Int, weights: ArraySlice<Int16>,
        into line: UnsafeMutablePointer<Int16>
    ) {
        let shift = weightBits - fraction
        weights.withUnsafeBufferPointer { weights in
            for x in stride(from: 0, to: bytesPerRow, by: 16) {
                var sum = SIMD16<Int32>(repeating: 1 << (shift - 1))
                var place = rows + x
                for weight in weights {
                    let bytes = place.loadUnaligned(as: SIMD16<UInt8>.self)
                    // Through 16 bits, so that the compiler sees that narrow multiplications are enough.
                    let factor = SIMD16<Int32>(truncatingIfNeeded: SIMD16<Int16>(repeating: weight))
                    sum &+= SIMD16<Int32>(truncatingIfNeeded: bytes) &* factor
                    place += bytesPerRow
                }
                let values = SIMD16<Int16>(truncatingIfNeeded: sum &>> shift)
                UnsafeMutableRawPointer(line + x).storeBytes(of: values, as: SIMD16<Int16>.self)
            }
        }
    }

    /// Adds up pixels side by side and writes a row of finished pixels.
    ///
    /// No component comes out above its alpha: the filter's overshoot would otherwise make colours that do not exist.
    ///
    /// - Parameters:
    ///   - line: the pixels that `columns` was made for, four values each.
    ///   - target: room for as many pixels as `columns` has targets.
    static func blendColumns(
        _ line: UnsafePointer<Int16>, _ columns: ResamplerWeights, into target: UnsafeMutablePointer<UInt32>
    ) {
        let shift = weightBits + fraction
        let taps = columns.taps
        columns.withUnsafeWeights { weights in
            for (x, start) in columns.starts.enumerated() {
                var sum = SIMD4<Int32>(repeating: 1 << (shift - 1))
                let values = UnsafeRawPointer(line + start * 4)
                let factors = weights + x * taps
                for tap in 0..<taps {
                    let value = values.loadUnaligned(fromByteOffset: tap &* 8, as: SIMD4<Int16>.self)
                    sum &+=
                        SIMD4<Int32>(truncatingIfNeeded: value)
                        &* SIMD4<Int32>(truncatingIfNeeded: SIMD4<Int16>(repeating: factors[tap]))
                }
                target[x] = pixel(sum &>> shift)
            }
        }
    }

    /// The components cut to 0...255 and to the alpha, in one word.
    @inline(__always)
    private static func pixel(_ values: SIMD4<Int32>) -> UInt32 {
        let alpha = min(max(values.w, 0), 255)
        let cut = values.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: alpha))
        return UInt32(truncatingIfNeeded: cut.x | cut.y << 8 | cut.z << 16 | alpha << 24)
    }
}
