import EaselCore

extension DecodedImage {
    /// The steps that every decoder ends with: opacity measured, scaled to the asked size, colours converted, turned
    /// upright.
    ///
    /// - Parameters:
    ///   - stored: the pixels as stored, of the stored size or already of the asked one.
    ///   - header: what the file says of itself.
    ///   - colors: what the colours of `stored` are, or `nil` where the decoder has converted them itself.
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
    /// The size, lying as stored, that a picture is decoded to.
    func storedTargetSize(for header: ImageHeader) -> PixelSize {
        header.orientation.upright(targetSize.size(for: header.size))
    }

    /// Refuses what the limits forbid, and a frame that the file does not have.
    func check(_ header: ImageHeader) throws(ImageError) {
        try limits.check(header)
        guard frame >= 0, frame < header.frameCount else {
            throw .unsupported("There is no frame \(frame): the picture has \(header.frameCount), counted from 0.")
        }
    }
}
