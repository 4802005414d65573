#if AVIF
public import EaselCore

public import EaselFoundation

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
