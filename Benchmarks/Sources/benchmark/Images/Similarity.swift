import Easel

/// The structural similarity of two images (SSIM), by their luma.
enum Similarity {
    private static let window = 8
    private static let step = 4

    /// Returns the mean over windows of 8 x 8 pixels, every fourth one: 1 for equal images.
    static func of(_ image: PixelBuffer, to reference: PixelBuffer) -> Double {
        let size = reference.size
        guard image.size == size, min(size.width, size.height) >= window else { return 0 }
        let (first, second) = (luma(image), luma(reference))
        var sum = 0.0, count = 0.0
        for y in stride(from: 0, through: size.height - window, by: step) {
            for x in stride(from: 0, through: size.width - window, by: step) {
                sum += index(first, second, start: y * size.width + x, width: size.width)
                count += 1
            }
        }
        return sum / count
    }

    private static func luma(_ image: PixelBuffer) -> [Float] {
        var values: [Float] = []
        let size = image.size
        values.reserveCapacity(size.width * size.height)
        image.withUnsafeBytes { bytes in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let start = y * image.bytesPerRow + x * 4
                    let (blue, green, red) = (Float(bytes[start]), Float(bytes[start + 1]), Float(bytes[start + 2]))
                    values.append(0.299 * red + 0.587 * green + 0.114 * blue)
                }
            }
        }
        return values
    }

    private static func index(_ first: [Float], _ second: [Float], start: Int, width: Int) -> Double {
        var sums = (a: Float(0), b: Float(0), aa: Float(0), bb: Float(0), ab: Float(0))
        for row in 0..<window {
            for column in 0..<window {
                let a = first[start + row * width + column] - 128, b = second[start + row * width + column] - 128
                sums.a += a
                sums.b += b
                sums.aa += a * a
                sums.bb += b * b
                sums.ab += a * b
            }
        }
        let count = Float(window * window)
        let (meanA, meanB) = (sums.a / count, sums.b / count)
        let (varianceA, varianceB) = (sums.aa / count - meanA * meanA, sums.bb / count - meanB * meanB)
        let covariance = sums.ab / count - meanA * meanB
        // The constants of the definition, for levels up to 255.
        let (c1, c2) = (Float(6.5025), Float(58.5225))
        let (brightA, brightB) = (meanA + 128, meanB + 128)
        let brightness = (2 * brightA * brightB + c1) / (brightA * brightA + brightB * brightB + c1)
        return Double(brightness * (2 * covariance + c2) / (varianceA + varianceB + c2))
    }
}

/// The bytes and the similarity of files at one quality.
struct QualityPoint {
    var quality: Int
    var byteCount: Double
    var similarity: Double

    /// Searches for the quality at which files have a similarity, in steps of four from a quality.
    ///
    /// - Returns: The better of the two qualities around it, with the bytes interpolated between them; the last quality
    ///   if none is better.
    static func reaching(
        _ similarity: Double, from quality: Int, _ measure: (Int) async throws -> QualityPoint
    ) async throws -> QualityPoint {
        var (worse, better): (QualityPoint?, QualityPoint?)
        var quality = quality
        while worse == nil || better == nil, (5...97).contains(quality) {
            let point = try await measure(quality)
            if point.similarity < similarity { worse = point } else { better = point }
            quality += point.similarity < similarity ? 4 : -4
        }
        guard var found = better ?? worse else { throw MissingPeer(name: "a quality", reason: "it is out of range.") }
        if let worse, found.similarity > worse.similarity {
            let part = (similarity - worse.similarity) / (found.similarity - worse.similarity)
            found.byteCount = worse.byteCount + (found.byteCount - worse.byteCount) * part
        }
        return found
    }
}
