#if JXL
public import EaselCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JXLCoder: AnimationDecoding {
    /// A decoder of the file's frames. It keeps a copy of the file and the few frames that others are built on.
    ///
    /// - Throws: `ImageError.badData` for what is no JPEG XL, `.tooLarge`, `.unsupported`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try LibraryAnimationDecoder<JXLFile>(data, options)
    }
}
#endif
