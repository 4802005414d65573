#if AVIF
public import EaselCore
public import EaselFoundation

/// Reads still and animated AVIF of 8, 10 and 12 bits, and writes still AVIF, through libavif.
///
/// Applies the rotation and mirroring of the container. Ignores the EXIF orientation, which repeats them.
public struct AVIFCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `avif` format.
    public var format: ImageFormat { .avif }

    /// Reads the boxes. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not an AVIF, or is truncated in its header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try AVIFFile.header(of: data)
    }

    /// Decodes the image, or one composited frame of an animation.
    ///
    /// AV1 decodes only complete images, so a truncated file throws even with `allowsPartial`. After cancellation, the
    /// decoding of a large still image finishes on a separate thread, since it cannot be interrupted.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try AVIFFile.decode(data, options)
    }
}

extension AVIFFile: LibraryFile {
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try pixels(ofFrame: options.frame, isCancelled: options.isCancelled)
        // The image is rotated after scaling, by the code that applies EXIF orientations.
        var stored = header
        stored.orientation = orientation
        stored.storedSize = orientation.upright(header.storedSize)
        var image = try DecodedImage(stored: pixels, header: stored, options: options, colors: colors)
        if options.wantsDeepPixels(of: header) {
            image = try image.withDeepPixels(deepPixels(), header: stored, options: options, colors: colors)
        }
        image.metadata.header = header
        return image
    }
}

extension AVIFCoder: AnimationDecoding {
    /// Creates a decoder for the frames of the file. It keeps a copy of the file and the reference frames of AV1.
    ///
    /// - Throws: `ImageError.badData` if the data is not an AVIF, `.tooLarge`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<AVIFFile>(data, options)
    }
}
#endif
