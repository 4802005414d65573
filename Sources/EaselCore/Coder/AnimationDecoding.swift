public import EaselFoundation

/// A format whose files hold several frames that are shown one after the other (X153, R014).
public protocol AnimationDecoding: ImageDecoding {
    /// A decoder of the frames of one file, which it keeps.
    ///
    /// - Throws: `ImageError.badData` for what is no file of this format, `.tooLarge` for one beyond the limits.
    func makeAnimationDecoder(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> any AnimationDecoder

    /// What the beginning of a file says of itself, with the frames alone that have come whole: at least two, else `nil`. A
    /// decoder with `allowsPartial` gives these, as it will when the file is whole. `nil` in any case, as by default, for a
    /// format that is not played before that.
    func header(ofBeginning data: Data) -> ImageHeader?
}

extension AnimationDecoding {
    /// Not played before it is whole.
    public func header(ofBeginning data: Data) -> ImageHeader? { nil }
}

/// Gives the frames of one animation, composited as shown, in any order. Used by one thread at a time, on Easel's decode
/// threads.
///
/// The frame after the last one given costs one frame's work. Any other costs that of the frames since the nearest one from
/// which compositing can start. What is kept for that is bounded by a few frames, however long the animation.
public protocol AnimationDecoder: AnyObject {
    /// What the file says of itself: size, count, durations, loops.
    var header: ImageHeader { get }

    /// The frame with this number, counted from 0, upright and of the size that the options ask for.
    ///
    /// - Throws: `ImageError.unsupported` for a number that is not there, `.badData` for a damaged frame, `.cancelled`.
    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage
}
