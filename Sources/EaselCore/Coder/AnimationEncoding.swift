public import EaselFoundation

/// Turns the frames of an animation into the bytes of one format (X165).
public protocol AnimationEncoding: ImageEncoding {
    /// Encodes all frames, with their durations and the count of loops.
    ///
    /// The frames are asked for one after the other, and at most two are held at a time; with `options.maximumByteCount` they
    /// may be asked for several times.
    ///
    /// - Throws: `ImageError.unsupported` for an animation that the format cannot hold, `.tooLarge` as `encode(_:_:)` for a
    ///   still picture, and what a frame throws.
    func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data
}

/// The frames of an animation that is to be written, made when they are asked for: never all in memory.
public struct AnimationFrames {
    /// A frame as it is shown, and for how long.
    public struct Frame: Sendable {
        /// The whole picture.
        public var pixels: PixelBuffer
        /// How long it is shown. Formats round it: GIF to 1/100 s, the others to 1/1000 s.
        public var duration: Duration

        /// A frame.
        public init(pixels: PixelBuffer, duration: Duration) {
            self.pixels = pixels
            self.duration = duration
        }
    }

    /// How many there are, at least one.
    public let count: Int
    /// The size that each has.
    public let size: PixelSize
    /// How often they are played; 0 is for ever.
    public let loopCount: Int
    /// Whether it is known that no pixel of any frame is transparent: files are smaller then.
    public let isOpaque: Bool
    private let make: (Int) throws(ImageError) -> Frame

    /// Frames that `frame` makes by their number, counted from 0. It is asked in order, and perhaps from the start again.
    public init(
        count: Int, size: PixelSize, loopCount: Int, isOpaque: Bool = false,
        frame: @escaping (Int) throws(ImageError) -> Frame
    ) {
        self.count = count
        self.size = size
        self.loopCount = loopCount
        self.isOpaque = isOpaque
        make = frame
    }

    /// The one frame of a still picture.
    public init(_ image: DecodedImage) {
        self.init(count: 1, size: image.size, loopCount: 1, isOpaque: image.pixels.isOpaque) { _ in
            Frame(pixels: image.pixels, duration: .zero)
        }
    }

    /// The frames of a file, decoded as `options` say.
    ///
    /// - Parameter transform: what is done to each of them.
    /// - Throws: what decoding the header, and the first frame, throws.
    public init(
        of data: Data, _ decoder: any ImageDecoding, _ options: DecodeOptions,
        transform: @escaping (DecodedImage) throws(ImageError) -> DecodedImage = { $0 }
    ) throws(ImageError) {
        let header = try decoder.header(of: data)
        let animation = try (decoder as? any AnimationDecoding)?.makeAnimationDecoder(data, options)
        let frame = { (index: Int) throws(ImageError) -> Frame in
            var one = options
            one.frame = index
            let image =
                if let animation {
                    try animation.frame(index, isCancelled: options.isCancelled)
                } else {
                    try decoder.decode(data, one)
                }
            let duration = header.frameDurations.indices.contains(index) ? header.frameDurations[index] : .zero
            return Frame(pixels: try transform(image).pixels, duration: duration)
        }
        let first = try frame(0)
        self.init(
            count: header.frameCount, size: first.pixels.size, loopCount: header.loopCount, isOpaque: !header.hasAlpha,
            frame: frame)
    }

    /// The frame with this number.
    ///
    /// - Throws: what making it throws; `ImageError.unsupported` for one that has another size than the rest.
    public func frame(_ index: Int) throws(ImageError) -> Frame {
        let frame = try make(index)
        guard frame.pixels.size == size else {
            throw .unsupported("Frame \(index) of the animation has \(frame.pixels.size) pixels in place of \(size).")
        }
        return frame
    }

    /// The same frames at another size.
    public func resized(to size: PixelSize) -> AnimationFrames {
        if size == self.size { return self }
        return AnimationFrames(count: count, size: size, loopCount: loopCount, isOpaque: isOpaque) {
            (index) throws(ImageError) in
            var frame = try self.frame(index)
            frame.pixels = try frame.pixels.resized(to: size)
            return frame
        }
    }
}
