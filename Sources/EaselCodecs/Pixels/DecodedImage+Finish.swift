import EaselCore

extension DecodedImage {
    /// Finishes a decode: detects opacity, scales to the requested size, converts colors, and applies the orientation.
    ///
    /// - Parameters:
    ///   - stored: the pixels before orientation, in the stored or the requested size.
    ///   - header: the header of the file.
    ///   - colors: the color space of `stored`, or `nil` if the decoder has converted it.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if memory runs out.
    init(
        stored: consuming PixelBuffer, header: ImageHeader, options: DecodeOptions, colors: ColorDescription? = .sRGB,
        isPartial: Bool = false
    ) throws(ImageError) {
        let size = options.targetSize.size(for: header.size)
        // Scaling first leaves fewer pixels to rotate.
        let scaled = try stored.detectingOpacity().resized(
            to: header.orientation.upright(size), isCancelled: options.isCancelled)
        // Colors are converted after scaling, when there are the fewest pixels.
        let conversion = colors.flatMap { ColorConversion.from($0, to: options.colorSpace) }
        let pixels = try scaled.converted(by: conversion, isCancelled: options.isCancelled)
            .upright(from: header.orientation, isCancelled: options.isCancelled)
        let metadata = ImageMetadata(
            header: header, frameIndex: options.frame, isPartial: isPartial, isThumbnail: size != header.size,
            colorSpace: options.colorSpace)
        self.init(pixels: pixels, metadata: metadata)
    }

    /// Decodes an image that `draw` writes, with transparent pixels if data is missing.
    ///
    /// - Parameters:
    ///   - size: the size of the canvas.
    ///   - isPartial: whether the file is known to be truncated.
    ///   - draw: draws the image, premultiplied, and returns whether it is complete.
    /// - Throws: `ImageError.badData` for an incomplete image unless the options allow it, and the errors of `draw`.
    init(
        _ header: ImageHeader, size: PixelSize, hasAlpha: Bool, isPartial: Bool = false, _ options: DecodeOptions,
        draw: (Canvas) throws(ImageError) -> Bool
    ) throws(ImageError) {
        var isComplete = false
        let pixels = try PixelBuffer.draw(size) { (canvas) throws(ImageError) in isComplete = try draw(canvas) }
        guard isComplete || options.allowsPartial else { throw .truncated }
        try self.init(
            stored: PixelBuffer(pixels, isOpaque: isComplete && !hasAlpha), header: header, options: options,
            isPartial: isPartial || !isComplete)
    }
}

extension DecodeOptions {
    /// Returns the size to decode to, before the orientation is applied.
    func storedTargetSize(for header: ImageHeader) -> PixelSize {
        header.orientation.upright(targetSize.size(for: header.size))
    }

    /// Throws if the header exceeds the limits, if the requested frame does not exist, or if the load is cancelled.
    func check(_ header: ImageHeader) throws(ImageError) {
        try limits.check(header)
        guard frame >= 0, frame < header.frameCount else { throw .missingFrame(frame) }
        try checkCancellation()
    }

    /// Returns whether deep pixels are requested and available.
    func wantsDeepPixels(of header: ImageHeader) -> Bool { depth == .sixteen && header.bitDepth > 8 }
}

extension ImageLimits {
    /// Checks the number of frames that a parser lists, as it does not know the limits of a request. A frame can take
    /// 12 bytes of a file, and far more memory.
    static func checkListed(frames count: Int, limit: Int = 100_000) throws(ImageError) {
        guard count <= limit else { throw .tooLarge(.frames(count, limit: limit)) }
    }
}

/// The errors that most coders share.
extension ImageError {
    static let damaged = ImageError.badData("The image data is damaged or truncated.")
    static let truncated = ImageError.badData("The image data is truncated.")
    static let outOfMemory = ImageError.unsupported("There is not enough memory.")

    static func missingFrame(_ index: Int) -> ImageError { .unsupported("The image has no frame \(index).") }
}

extension DecodedImage {
    /// Returns the image with additional 16-bit pixels.
    ///
    /// - Parameters:
    ///   - raster: the image before orientation, with straight alpha.
    ///   - header: the header with the orientation.
    ///   - colors: the color space of `raster`.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` if memory runs out.
    consuming func withDeepPixels(
        _ raster: borrowing DeepRaster, header: ImageHeader, options: DecodeOptions, colors: ColorDescription
    ) throws(ImageError) -> DecodedImage {
        let conversion = DeepConversion(colors, to: options.colorSpace)
        let deep = try raster.pixels(
            of: header.orientation.upright(size), hasAlpha: !pixels.isOpaque, colors: conversion.colors,
            isCancelled: options.isCancelled, convert: conversion.convert)
        var image = self
        image.deepPixels = try deep.upright(from: header.orientation, isCancelled: options.isCancelled)
        return image
    }
}

extension DeepRaster {
    /// Scales samples of `bits` bits to 16, and unpremultiplies premultiplied colors.
    func finish(bits: Int, isPremultiplied: Bool = false) {
        let largest = UInt32(1) << UInt32(bits) - 1
        for y in 0..<size.height {
            let row = row(y)
            if bits < 16 {
                for index in row.indices {
                    row[index] = UInt16((min(UInt32(row[index]), largest) * 65_535 + largest / 2) / largest)
                }
            }
            guard isPremultiplied else { continue }
            for index in stride(from: 0, to: row.count, by: 4) where row[index + 3] != .max {
                let alpha = UInt32(row[index + 3])
                for channel in index..<(index + 3) {
                    row[channel] =
                        alpha == 0 ? 0 : UInt16(min((UInt32(row[channel]) * 65_535 + alpha / 2) / alpha, 65_535))
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Returns the same pixels, marked as opaque if every alpha is 255. Stops at the first row with another alpha.
    func detectingOpacity() -> PixelBuffer { isOpaque ? self : PixelBuffer(self, isOpaque: isFullyOpaque) }

    private var isFullyOpaque: Bool {
        withUnsafeBytes { bytes in
            (0..<height).allSatisfy { y in
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<((y + 1) * bytesPerRow)])
                return PixelKernels.best.commonAlpha(row, count: width) == 255
            }
        }
    }
}
