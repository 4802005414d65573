#if JXL
public import EaselCore
public import EaselFoundation

/// Reads JPEG XL, still, animated and while it arrives, and writes still ones, through libjxl.
///
/// Colors come as sRGB where libjxl can give them so. The file's own orientation is applied.
public struct JXLCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `jxl`.
    public var format: ImageFormat { .jxl }

    /// Reads the header, and of an animation every frame's header; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is no JPEG XL, or is cut off before its header ends, `.unsupported`
    ///   for one of CMYK.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try JXLFile.header(of: data)
    }

    /// Decodes the image, or one frame of an animation as shown.
    ///
    /// A cut-off file is an error, or, with `allowsPartial`, what can be seen of it, softer where details are
    /// missing. A cancelled load leaves what libjxl does of a large image in one call to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that is not there,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try JXLFile.decode(data, options)
    }
}

extension JXLCoder: AnimationDecoding {
    /// A decoder of the file's frames. It keeps a copy of the file and the few frames that others are built on.
    ///
    /// - Throws: `ImageError.badData` for what is no JPEG XL, `.tooLarge`, `.unsupported`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<JXLFile>(data, options)
    }

    /// The frames before the last one whose header has come: that this one's data has too, libjxl does not tell.
    public func header(ofBeginning data: Data) -> ImageHeader? {
        data.span.withUnsafeBufferPointer { bytes in
            let file = try? JXLFile(bytes, limits: ImageLimits(pixels: .max, frames: .max - 1))
            return file.flatMap { $0.header.beginning(isLastFrameWhole: false) }
        }
    }
}
#endif
