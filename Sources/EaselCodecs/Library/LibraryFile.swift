#if AVIF || HEIF || JXL
import EaselCore

import EaselFoundation

/// A file that the library of its format has opened. Its header is read; frames are decompressed as they are asked for.
protocol LibraryFile {
    /// What the file says of itself.
    var header: ImageHeader { get }

    /// - Parameters:
    ///   - bytes: the file. It must stay where it is as long as this lives.
    ///   - limits: what the library may take on.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError)

    /// The frame that the options ask for, which is there, upright and of the size that they ask for.
    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage
}

extension LibraryFile {
    /// What the slowest of the libraries decodes in 15 ms, at 100 ns a pixel.
    private static var quickPixels: Int { 150_000 }

    /// What a file says of itself, whatever its size.
    static func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try Self(bytes, limits: ImageLimits(pixels: .max, frames: .max - 1)).header
        }
    }

    /// Decodes a small image here, and a large one so that a cancelled load need not wait for the library.
    static func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let (size, image) = try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try Self(bytes, limits: options.limits)
            try options.check(file.header)
            try options.checkCancellation()
            return (
                file.header.storedSize,
                options.isLong(file.header, beyond: Self.quickPixels) ? nil : try file.frame(options)
            )
        }
        if let image { return image }
        return try options.abandonable(size) { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try Self(bytes, limits: options.limits).frame(options)
            }
        }
    }
}

/// The frames of an animation, in any order, from a library that stays open.
final class LibraryAnimationDecoder<File: LibraryFile>: AnimationDecoder {
    private let bytes: OwnedBytes
    private let file: File
    private let options: DecodeOptions

    var header: ImageHeader { file.header }

    /// - Throws: `ImageError.tooLarge`, and what opening the file throws.
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
            try options.checkCancellation()
            return try file.frame(options)
        }
    }
}
#endif
