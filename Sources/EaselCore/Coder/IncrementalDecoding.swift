public import EaselFoundation

/// A format whose pictures can be shown before their files are whole (X142, X150).
public protocol IncrementalDecoding: ImageDecoding {
    /// A decoder for one file that is arriving. It is given nothing yet.
    func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder
}

/// Shows what has come of a file. One load's own: used by one thread at a time, on Easel's decode threads.
///
/// The work for a whole file is in proportion to its length, however small the pieces: what was read is not read again.
public protocol IncrementalDecoder: AnyObject {
    /// Takes the bytes that follow those taken before.
    ///
    /// - Throws: what `ImageDecoding.decode` throws, but never because the file is not whole yet. After an error the decoder
    ///   is of no more use.
    func append(_ bytes: Data) throws(ImageError)

    /// Whether nothing that is still to come would change what is seen at the size that was asked for: the rest of the file
    /// need not be loaded. Costs nothing; `false`, as by default, where that is not known.
    var isSufficient: Bool { get }

    /// The picture as far as it has come, upright and of the size that the options ask for; `nil` where there is nothing to
    /// show yet, or nothing new since the last one.
    ///
    /// - Throws: what `ImageDecoding.decode` throws.
    func preview() throws(ImageError) -> ImagePreview?
}

extension IncrementalDecoder {
    /// Not known.
    public var isSufficient: Bool { false }
}

/// A picture whose file has not come whole.
public struct ImagePreview: Sendable {
    /// The pixels, marked `isPartial`. What has not come yet is transparent, or as the format guesses it.
    public var image: DecodedImage
    /// Whether nothing that is still to come would change it, as `IncrementalDecoder.isSufficient` has it.
    public var isSufficient: Bool

    /// A preview.
    public init(image: DecodedImage, isSufficient: Bool = false) {
        self.image = image
        self.isSufficient = isSufficient
    }
}
