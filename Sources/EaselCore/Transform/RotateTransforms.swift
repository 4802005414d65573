import EaselFoundation

/// The axis along which an image is mirrored.
public enum FlipAxis: String, Sendable, Hashable, CaseIterable {
    /// Left and right are exchanged.
    case horizontal
    /// Top and bottom are exchanged.
    case vertical
}

extension ImageTransform {
    /// Mirrors the image: left to right for `.horizontal`.
    public static func flip(_ axis: FlipAxis) -> ImageTransform {
        ImageTransform("Flip(\(axis.rawValue))") { (image, isCancelled) throws(ImageError) in
            try image.turn(from: axis == .horizontal ? .upMirrored : .downMirrored, isCancelled)
        }
    }

    /// Rotates the image counter-clockwise by an angle in degrees.
    ///
    /// Quarter turns move pixels without changing them. Any other angle samples bilinearly; outside of the image the
    /// result is transparent, so that its edges are smooth.
    ///
    /// - Parameter fitting: whether the result has the size of the rotated image; otherwise it has that of the image,
    ///   with the same middle, and cuts what exceeds it.
    public static func rotate(degrees: Double, fitting: Bool = true) -> ImageTransform {
        let rest = degrees.isFinite ? degrees.truncatingRemainder(dividingBy: 360) : 0
        let positive = rest < 0 ? rest + 360 : rest
        // A tiny negative angle rounds to a whole turn.
        let degrees = positive < 360 ? positive : 0
        let identifier = "Rotate(\(degrees.canonicalText),\(fitting ? "fit" : "crop"))"
        return ImageTransform(identifier) { (image, isCancelled) throws(ImageError) in
            let quarters = Int(degrees / 90)
            guard degrees == Double(quarters) * 90 else {
                let rotation = Rotation(degrees: degrees, isFitting: fitting, size: image.size)
                return image.replacing(try rotation.apply(to: image.pixels, isCancelled))
            }
            let turned = try image.turn(from: [.up, .left, .down, .right][quarters], isCancelled)
            if turned.size == image.size || fitting { return turned }
            return image.replacing(try turned.pixels.place(inMiddleOf: image.size, background: 0, isCancelled))
        }
    }
}

extension DecodedImage {
    fileprivate func turn(
        from orientation: ImageOrientation, _ isCancelled: () -> Bool
    ) throws(ImageError) -> DecodedImage {
        replacing(
            try pixels.upright(from: orientation, isCancelled: isCancelled),
            deep: try deepPixels?.upright(from: orientation, isCancelled: isCancelled))
    }
}

/// A rotation by any angle. Positions are integers of 32 fraction bits.
private struct Rotation {
    private let source: PixelSize
    private let size: PixelSize
    private let sine: Int64
    private let cosine: Int64

    init(degrees: Double, isFitting: Bool, size: PixelSize) {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let one: Double = 4_294_967_296
        self.sine = Int64((sine * one).rounded())
        self.cosine = Int64((cosine * one).rounded())
        source = size
        // A hundredth of a pixel does not count.
        func roundUp(_ length: Double) -> Int { max(1, Int((length - 0.01).rounded(.up))) }
        let (width, height) = (Double(size.width), Double(size.height))
        self.size =
            isFitting
            ? PixelSize(
                roundUp(width * abs(cosine) + height * abs(sine)), roundUp(width * abs(sine) + height * abs(cosine)))
            : size
    }

    func apply(to pixels: PixelBuffer, _ isCancelled: () -> Bool) throws(ImageError) -> PixelBuffer {
        try pixels.drawRows(of: size, isOpaque: false, isCancelled: isCancelled) { y, rows, target in
            // The middle of the first pixel of the row, relative to the middle of the result, in half pixels.
            let right = Int64(1 - size.width)
            let down = Int64(2 * y + 1 - size.height)
            // Rotated back, and relative to the middle of the source's first pixel.
            var across = (cosine * right - sine * down) / 2 + Int64(source.width - 1) << 31
            var along = (sine * right + cosine * down) / 2 + Int64(source.height - 1) << 31
            for x in 0..<size.width {
                target[x] = sample(rows, across, along)
                across &+= cosine
                along &+= sine
            }
        }
    }

    /// Returns the mean of the four pixels around a position, weighted by their distance in 256ths. Outside of the
    /// image all is transparent.
    @inline(__always)
    private func sample(_ rows: SourceRows<UInt32>, _ across: Int64, _ along: Int64) -> UInt32 {
        let (width, height) = (source.width, source.height)
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
