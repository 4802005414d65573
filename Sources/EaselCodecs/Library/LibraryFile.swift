#if AVIF || HEIF || JXL
import EaselCore

import EaselFoundation

/// A file opened by the library of its format. The header is read; frames are decompressed on demand.
protocol LibraryFile {
    var header: ImageHeader { get }

    /// - Parameters:
    ///   - bytes: the file. It must outlive this object.
    ///   - limits: the limits for the library.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError)

    /// Returns the existing frame that the options request, upright and in the requested size.
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage
}

extension LibraryFile {
    /// The number of pixels that the slowest library decodes in 15 ms, at 100 ns a pixel.
    private static var synchronousPixelLimit: Int { 150_000 }

    /// Returns the header of a file of any size.
    static func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try Self(bytes, limits: ImageLimits(pixels: .max, frames: .max - 1)).header
        }
    }

    /// Decodes a small image directly, and a large one so that cancellation need not wait for the library.
    static func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let (size, format, image) = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try Self(bytes, limits: options.limits)
            try options.check(file.header)
            let isLong = options.exceeds(file.header, pixels: Self.synchronousPixelLimit)
            return (file.header.storedSize, file.header.format, isLong ? nil : try file.frame(options))
        }
        if let image { return image }
        return try options.runAbandonably(format, byteCount: size.decodingByteCount) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try Self(bytes, limits: options.limits).frame(options)
            }
        }
    }
}

/// A decoder of the frames of an animation in any order, with a library that stays open.
final class LibraryAnimationDecoder<File: LibraryFile>: AnimationDecoder {
    private let bytes: OwnedBytes
    private let file: File
    private let options: DecodeOptions

    var header: ImageHeader { file.header }

    /// - Throws: `ImageError.tooLarge`, and the errors of opening the file.
    init(_ data: Data, _ options: DecodeOptions) throws(ImageError) {
        bytes = OwnedBytes(data)
        file = try File(bytes.buffer, limits: options.limits)
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
