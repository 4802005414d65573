#if AVIF
public import EaselCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AVIFCoder: AnimationDecoding {
    /// A decoder of the file's frames. It keeps a copy of the file and what AV1 needs of the frames before.
    ///
    /// - Throws: `ImageError.badData` for what is no AVIF, `.tooLarge`.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        try AVIFAnimationDecoder(data, options)
    }
}

private final class AVIFAnimationDecoder: AnimationDecoder {
    private let bytes: OwnedBytes
    private let file: AVIFFile
    private let options: DecodeOptions

    var header: ImageHeader { file.header }

    init(_ data: Data, _ options: DecodeOptions) throws(ImageError) {
        bytes = OwnedBytes(data)
        file = try AVIFFile(bytes.buffer, limits: options.limits)
        self.options = options
        try options.limits.check(file.header)
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        try withoutActuallyEscaping(isCancelled) { (isCancelled) throws(ImageError) in
            var options = options
            options.frame = index
            options.isCancelled = isCancelled
            try options.check(file.header)
            return try file.frame(options)
        }
    }
}
#endif
