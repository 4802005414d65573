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
        try JXLAnimationDecoder(data, options)
    }
}

private final class JXLAnimationDecoder: AnimationDecoder {
    private let bytes: OwnedBytes
    private let file: JXLFile
    private let options: DecodeOptions

    var header: ImageHeader { file.header }

    init(_ data: Data, _ options: DecodeOptions) throws(ImageError) {
        bytes = OwnedBytes(data)
        file = try JXLFile(bytes.buffer, frameLimit: options.limits.frames)
        self.options = options
        try options.limits.check(file.header)
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try withoutActuallyEscaping(isCancelled) { (isCancelled) throws(ImageError) in
            var options = options
            options.frame = index
            options.isCancelled = isCancelled
            try options.check(file.header)
            try options.checkCancellation()
            return try file.frame(options)
        }
    }
}
#endif
