/// How much one picture may take. What comes from the network is hostile, so there is always a limit.
public struct ImageLimits: Sendable, Hashable {
    /// The most pixels that a header may announce: 100 megapixels.
    public var pixels: Int
    /// The most bytes of a body, after decompression: 256 MiB. An announced larger one is refused at once.
    public var bytes: Int
    /// The most frames of an animation: 10,000.
    public var frames: Int
    /// How long decoding may take where a library does it in calls that nothing bounds: 5 s, of a drawing as well as of
    /// AVIF, HEIC, JPEG XL, large PNG and large lossless WebP. All else takes time in proportion to the bytes and the pixels.
    public var decodingTime: Duration

    /// Limits; the defaults are those named above.
    public init(
        pixels: Int = 100_000_000, bytes: Int = 256 << 20, frames: Int = 10_000, decodingTime: Duration = .seconds(5)
    ) {
        self.pixels = pixels
        self.bytes = bytes
        self.frames = frames
        self.decodingTime = decodingTime
    }

    /// Refuses a header that asks for more than it may, before anything is allocated.
    ///
    /// - Throws: `ImageError.tooLarge`, or `.badData` for a picture without pixels (X141).
    public func check(_ header: ImageHeader) throws(ImageError) {
        guard header.storedSize.width > 0, header.storedSize.height > 0 else {
            throw .badData("The picture has no pixels: its header says \(header.storedSize).")
        }
        guard let area = header.storedSize.area, area <= pixels else {
            throw .tooLarge(.pixels(header.storedSize, limit: pixels))
        }
        guard header.frameCount <= frames else {
            throw .tooLarge(.frames(header.frameCount, limit: frames))
        }
    }
}
