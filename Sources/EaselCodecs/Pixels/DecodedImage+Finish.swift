import EaselCore

extension DecodedImage {
    /// The steps that every decoder ends with: opacity measured, scaled to the asked size, colors converted, turned
    /// upright.
    ///
    /// - Parameters:
    ///   - stored: the pixels as stored, of the stored size or already of the asked one.
    ///   - header: what the file says of itself.
    ///   - colors: what the colors of `stored` are, or `nil` where the decoder has converted them itself.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the machine has no room.
    init(
        stored: consuming PixelBuffer, header: ImageHeader, options: DecodeOptions, colors: ColorDescription? = .sRGB,
        isPartial: Bool = false
    ) throws(ImageError) {
        let size = options.targetSize.size(for: header.size)
        // Scaled before it is turned: there is less to turn then.
        let scaled = try stored.withOpacityMeasured().resized(
            to: header.orientation.upright(size), isCancelled: options.isCancelled)
        // The fewest pixels, too, are there to convert now.
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
    /// The size, lying as stored, that an image is decoded to.
    func storedTargetSize(for header: ImageHeader) -> PixelSize {
        header.orientation.upright(targetSize.size(for: header.size))
    }

    /// Refuses what the limits forbid, and a frame that the file does not have.
    func check(_ header: ImageHeader) throws(ImageError) {
        try limits.check(header)
        guard frame >= 0, frame < header.frameCount else {
            throw .unsupported("There is no frame \(frame): the image has \(header.frameCount), counted from 0.")
        }
    }
}

extension DecodeOptions {
    /// Whether deep pixels are asked for and there are any.
    func wantsDeepPixels(of header: ImageHeader) -> Bool {
        depth == .sixteen && header.bitDepth > 8
    }
}

extension DecodedImage {
    /// The image with pixels of 16 bits a channel beside its own.
    ///
    /// - Parameters:
    ///   - raster: the image as stored, straight.
    ///   - header: how it is turned upright.
    ///   - colors: what the numbers of `raster` mean.
    /// - Throws: `ImageError.cancelled`, and `.tooLarge` where the machine has no room.
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
    /// Makes words of fewer bits those of 16, and colors that are multiplied by their alpha straight.
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
    /// The same pixels, marked opaque if every alpha turns out to be 255. Stops at the first row with one that is not.
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
