#if JXL
public import EaselCore
public import EaselFoundation

/// Reads still, animated and incomplete JPEG XL, and writes still JPEG XL, through libjxl.
///
/// Colors are converted to sRGB if libjxl supports it. The orientation of the codestream is applied.
public struct JXLCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `jxl` format.
    public var format: ImageFormat { .jxl }

    /// Reads the header, and each frame's header of an animation. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a JPEG XL, or is truncated in its header, `.unsupported` for
    ///   CMYK.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try JXLFile.header(of: data)
    }

    /// Decodes the image, or one composited frame of an animation.
    ///
    /// Throws for a truncated file, unless `allowsPartial` is set. Then the image lacks detail where data is missing.
    /// After cancellation, long libjxl calls for a large image finish on a separate thread.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that does not exist,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try JXLFile.decode(data, options)
    }
}

extension JXLCoder: AnimationDecoding {
    /// Creates a decoder for the frames of the file. It keeps a copy of the file and the few reference frames.
    ///
    /// - Throws: `ImageError.badData` if the data is not a JPEG XL, `.tooLarge`, `.unsupported`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<JXLFile>(data, options)
    }

    /// Returns the header with all frames before the last frame header received, since libjxl does not report whether
    /// the last frame's data is complete.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            let file = try? JXLFile(bytes, limits: ImageLimits(pixels: .max, frames: .max - 1))
            return file.flatMap { $0.header.beginning(isLastFrameWhole: false) }
        }
    }
}
#endif
