public import EaselFoundation

/// An encoder of one format. Called on several of Easel's decode threads at once.
public protocol ImageEncoding: Sendable {
    /// The format that it encodes.
    var format: ImageFormat { get }

    /// Encodes the pixels of `image`, within `options.maximumPixelSize` and `options.maximumByteCount`.
    ///
    /// - Throws: `ImageError.unsupported` if the format cannot represent the image, `.tooLarge` if it does not fit
    ///   `options.maximumByteCount`.
    func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data
}

/// The options of an encode.
///
/// Images are written upright, in the colors of their pixels, without a profile unless the colors are Display P3. Of
/// EXIF and XMP only those of `metadata` are written, in JPEG, PNG and WebP.
public struct EncodeOptions: Sendable, Hashable {
    /// The quality of lossy formats, from 0 to 1; 1 is the best.
    public var quality: Double
    /// The background of a transparent image in a format without alpha.
    public var background: ImageColor
    /// Whether a format with both modes is lossless and ignores the quality.
    public var isLossless = false
    /// Whether a JPEG is progressive: a few percent smaller, and slower to decode.
    public var isProgressive = false
    /// The work to spend on a smaller file, from 0, the fastest, to 9; `nil` for each format's default. A format maps it
    /// to its own scale.
    public var effort: Int?
    /// The resolution of the colors of JPEG and AVIF; `nil` for one that suits the quality.
    public var chromaSubsampling: ChromaSubsampling?
    /// Whether a JPEG has Huffman tables of its own: about 2 % smaller, in twice the time. An effort of 3 and more, and
    /// a progressive JPEG, always have them.
    public var optimizesHuffmanTables = false
    /// The level of compression of PNG, from 1 to 12; `nil` for one that suits the effort.
    public var compressionLevel: Int?
    /// The box into which a larger image is scaled down; `nil` keeps its size.
    public var maximumPixelSize: PixelSize?
    /// The most bytes of the file: first the quality is reduced, down to 0.3, and then the size. `nil` sets no limit.
    public var maximumByteCount: Int?
    /// The metadata to write, such as `MetadataReading.metadata(of:)` returns; `nil` for none. Its orientation becomes
    /// upright, as the pixels are. Other formats and animations leave it out.
    public var metadata: FileMetadata?

    /// Creates options; the defaults are a quality of 0.9 on white, baseline, at the image's own size.
    public init(
        quality: Double = 0.9, background: ImageColor = .white,
        isLossless: Bool = false, isProgressive: Bool = false, maximumPixelSize: PixelSize? = nil,
        maximumByteCount: Int? = nil, metadata: FileMetadata? = nil
    ) {
        self.quality = quality
        self.background = background
        self.isLossless = isLossless
        self.isProgressive = isProgressive
        self.maximumPixelSize = maximumPixelSize
        self.maximumByteCount = maximumByteCount
        self.metadata = metadata
    }

    /// Returns the value that a format has for the effort, or `standard` without one.
    ///
    /// - Parameter values: the values of the efforts from 0 to 9.
    package func value<Value>(forEffort values: [Value], standard: Value) -> Value {
        guard let effort else { return standard }
        return values[min(max(effort, 0), values.count - 1)]
    }
}

/// The resolution of colors relative to that of brightness.
public enum ChromaSubsampling: String, Sendable, Hashable, CaseIterable {
    /// The same resolution: 4:4:4.
    case full
    /// Half of it across: 4:2:2.
    case half
    /// Half of it across and down: 4:2:0.
    case quarter
}

/// An encoder of a format with animations.
public protocol AnimationEncoding: ImageEncoding {
    /// Encodes all frames, with their durations and the loop count.
    ///
    /// Reads the frames one after the other, with at most two in memory; with `options.maximumByteCount` it may read
    /// them several times.
    ///
    /// - Throws: `ImageError.unsupported` if the format cannot represent the animation, `.tooLarge` if it does not fit
    ///   `options.maximumByteCount`, and what a frame throws.
    func encode(_ frames: AnimationFrames, _ options: EncodeOptions) throws(ImageError) -> Data
}

/// The frames of an animation to encode, made on request so that they are never all in memory.
public struct AnimationFrames {
    /// The duration of each frame; at least one. Formats round it: GIF to 1/100 s, the others to 1/1000 s.
    public let durations: [Duration]
    /// The size of each frame.
    public let size: PixelSize
    /// The loop count; 0 means forever.
    public let loopCount: Int
    /// Whether all frames are known to be opaque, which makes files smaller.
    package let isOpaque: Bool
    private let makeFrame: (Int) throws(ImageError) -> PixelBuffer

    package var count: Int { durations.count }

    /// Creates frames of these durations.
    ///
    /// - Parameters:
    ///   - durations: How long each frame is shown.
    ///   - size: The size of each frame.
    ///   - loopCount: How often the animation is played; 0 means forever.
    ///   - isOpaque: Whether all frames are known to be opaque, which makes files smaller.
    ///   - frame: Returns the whole image of a frame, as it is shown. It is called with numbers from 0 on, in order,
    ///     and possibly from the start again.
    public init(
        durations: [Duration], size: PixelSize, loopCount: Int, isOpaque: Bool = false,
        frame: @escaping (Int) throws(ImageError) -> PixelBuffer
    ) {
        self.durations = durations
        self.size = size
        self.loopCount = loopCount
        self.isOpaque = isOpaque
        makeFrame = frame
    }

    /// Returns the frame with this number.
    ///
    /// - Throws: the errors of the frame; `ImageError.unsupported` if its size differs from the others.
    public func frame(_ index: Int) throws(ImageError) -> PixelBuffer {
        let pixels = try makeFrame(index)
        guard pixels.size == size else {
            throw .unsupported("Frame \(index) of the animation has \(pixels.size) pixels instead of \(size).")
        }
        return pixels
    }
}
