#if JXL
public import EaselCore

public import EaselFoundation

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
