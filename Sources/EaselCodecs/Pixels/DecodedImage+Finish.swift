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
        let scaled = try stored.withOpacityMeasured().resized(
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
}

extension DecodeOptions {
    /// Returns the size to decode to, before the orientation is applied.
    func storedTargetSize(for header: ImageHeader) -> PixelSize {
        header.orientation.upright(targetSize.size(for: header.size))
    }

    /// Throws if the header exceeds the limits, or if the requested frame does not exist.
    func check(_ header: ImageHeader) throws(ImageError) {
        try limits.check(header)
        guard frame >= 0, frame < header.frameCount else {
            throw .unsupported("There is no frame \(frame): the image has \(header.frameCount), counted from 0.")
        }
    }
}

extension DecodeOptions {
    /// Returns whether deep pixels are requested and available.
    func wantsDeepPixels(of header: ImageHeader) -> Bool {
        depth == .sixteen && header.bitDepth > 8
    }
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
                for place in row.indices {
                    row[place] = UInt16((min(UInt32(row[place]), largest) * 65_535 + largest / 2) / largest)
                }
            }
            guard isPremultiplied else { continue }
            for place in stride(from: 0, to: row.count, by: 4) where row[place + 3] != .max {
                let alpha = UInt32(row[place + 3])
                for channel in place..<(place + 3) {
                    row[channel] =
                        alpha == 0 ? 0 : UInt16(min((UInt32(row[channel]) * 65_535 + alpha / 2) / alpha, 65_535))
                }
            }
        }
    }
}

extension PixelBuffer {
    /// Returns the same pixels, marked as opaque if every alpha is 255. Stops at the first row with another alpha.
    func withOpacityMeasured() -> PixelBuffer {
        isOpaque ? self : PixelBuffer(self, isOpaque: everyAlphaIsFull)
    }

    private var everyAlphaIsFull: Bool {
        withUnsafeBytes { bytes in
            (0..<height).allSatisfy { y in
                let row = UnsafeRawBufferPointer(rebasing: bytes[(y * bytesPerRow)..<((y + 1) * bytesPerRow)])
                return PixelKernels.best.commonAlpha(row, count: width) == 255
            }
        }
    }
}
