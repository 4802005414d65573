#if AVIF
public import EaselCore
public import EaselFoundation

/// Reads still and animated AVIF of 8, 10 and 12 bits, and writes still ones, through libavif.
///
/// The file's own rotation and mirroring are applied, and its EXIF orientation is not: that would turn it twice.
public struct AVIFCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `avif`.
    public var format: ImageFormat { .avif }

    /// Reads the boxes; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is no AVIF, or is cut off before its header ends.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try AVIFFile.header(of: data)
    }

    /// Decodes the image, or one frame of an animation as shown.
    ///
    /// AV1 gives no image before it has all of it: a cut-off file is an error even with `allowsPartial`. A cancelled load
    /// leaves a large still image, which nothing can interrupt, to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that is not there,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try AVIFFile.decode(data, options)
    }
}

extension AVIFFile: LibraryFile {
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try pixels(ofFrame: options.frame, isCancelled: options.isCancelled)
        // Turned after it is scaled, by the steps that turn images with EXIF.
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
    /// A decoder of the file's frames. It keeps a copy of the file and what AV1 needs of the frames before.
    ///
    /// - Throws: `ImageError.badData` for what is no AVIF, `.tooLarge`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<AVIFFile>(data, options)
    }
}
#endif
