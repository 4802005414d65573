/// Turns a picture by an angle that is no quarter of a turn. Places are kept as whole numbers, 32 bits behind the point.
struct AngleRotation {
    private let source: PixelSize
    let size: PixelSize
    private let sine: Int64
    private let cosine: Int64

    private static let one: Double = 4_294_967_296

    init(degrees: Double, isFitting: Bool, size: PixelSize) {
        let (sine, cosine) = ReproducibleMath.sineAndCosine(degrees: degrees)
        self.sine = Int64((sine * Self.one).rounded())
        self.cosine = Int64((cosine * Self.one).rounded())
        source = size
        guard isFitting else {
            self.size = size
            return
        }
        let (width, height) = (Double(size.width), Double(size.height))
        self.size = PixelSize(
            Self.roundedUp(width * abs(cosine) + height * abs(sine)),
            Self.roundedUp(width * abs(sine) + height * abs(cosine)))
    }

    /// A hundredth of a pixel is not worth a pixel.
    private static func roundedUp(_ length: Double) -> Int { max(1, Int((length - 0.01).rounded(.up))) }

    func rotated(_ pixels: PixelBuffer, _ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        let sampler = BilinearSampler(size: source)
        return try pixels.remade(size, isOpaque: false, isCancelled: isCancelled) { y, rows, target in
            // The middle of the first pixel of the row, seen from the middle of the result, in half pixels.
            let right = Int64(1 - size.width)
            let down = Int64(2 * y + 1 - size.height)
            // Turned back, and seen from the middle of the source's first pixel.
            var across = (cosine * right - sine * down) / 2 + Int64(source.width - 1) << 31
            var along = (sine * right + cosine * down) / 2 + Int64(source.height - 1) << 31
            for x in 0..<size.width {
                target[x] = sampler.pixel(rows, across, along)
                across &+= cosine
                along &+= sine
            }
        }
    }
}

/// Reads a picture between its pixels. Outside of it everything is clear.
private struct BilinearSampler {
    let width: Int
    let height: Int

    init(size: PixelSize) {
        (width, height) = (size.width, size.height)
    }

    /// The mean of the four pixels around a place, 32 bits behind the point, by how near they are in 256ths.
    @inline(__always)
    func pixel(_ rows: SourceRows, _ across: Int64, _ along: Int64) -> UInt32 {
        let left = Int(across >> 32)
        let top = Int(along >> 32)
        guard left >= -1, left < width, top >= -1, top < height else { return 0 }
        let right = Int32((across >> 24) & 255)
        let bottom = Int32((along >> 24) & 255)
        var sum = SIMD4<Int32>(repeating: 1 << 15)
        if top >= 0 {
            let row = rows[top]
            if left >= 0 { sum &+= PremultipliedPixel.components(row[left]) &* ((256 - right) &* (256 - bottom)) }
            if left + 1 < width { sum &+= PremultipliedPixel.components(row[left + 1]) &* (right &* (256 - bottom)) }
        }
        if top + 1 < height {
            let row = rows[top + 1]
            if left >= 0 { sum &+= PremultipliedPixel.components(row[left]) &* ((256 - right) &* bottom) }
            if left + 1 < width { sum &+= PremultipliedPixel.components(row[left + 1]) &* (right &* bottom) }
        }
        return PremultipliedPixel.word(sum &>> 16)
    }
}
