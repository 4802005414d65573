/// A picture ready to be shown: its pixels, the scale that they are meant for, and what is known of where they come from;
/// of an animation, the first frame and the animation beside it.
///
/// A value over shared, immutable storage: copying costs a reference.
public struct DecodedImage: Sendable {
    /// The pixels of the picture, or of the frame that was asked for.
    public var pixels: PixelBuffer {
        // Others are of another picture than the deep ones.
        didSet { deepPixels = nil }
    }
    /// The same picture in 16 bits a channel, where the request asks for that (`PixelDepth.sixteen`) and the file has more than
    /// 8: a PNG, AVIF, HEIC, JPEG XL or TIFF, or a frame of one. Resizing, cropping, flipping, quarter turns and round corners
    /// without a border change both; whatever else changes `pixels` leaves these out.
    public var deepPixels: DeepPixelBuffer?
    /// Pixels a point: 2 for an `@2x` picture (X026).
    public var scale: Double
    /// What is known of the file.
    public var metadata: ImageMetadata {
        get { boxedMetadata.value }
        _modify { yield &boxedMetadata.value }
    }
    private var boxedMetadata: Boxed<ImageMetadata>
    /// All frames, where the file has several and the whole of it was asked for. `pixels` are those of the first.
    public var animation: Animation?
    /// When the file that it shows was there, by the clock of `FileLedger`; set where it is kept.
    var stamp: UInt64 = 0
    /// Whether its file may have more frames, which were not asked for.
    var isFirstFrameOnly = false

    /// Pixels across and down.
    public var size: PixelSize { pixels.size }

    /// The bytes that a cache counts for it: its pixels, and what is known of the file (B13, X098).
    ///
    /// The latter is little for a still picture; the durations of an animation's frames are as many as its file likes, and an
    /// animation keeps its file.
    public var memoryCost: Int {
        pixels.byteCount + (deepPixels?.byteCount ?? 0) + (metadata.header?.byteCount ?? 0)
            + (animation?.memoryCost ?? 0)
    }

    /// A picture of `pixels`.
    public init(pixels: PixelBuffer, scale: Double = 1, metadata: ImageMetadata, animation: Animation? = nil) {
        self.pixels = pixels
        self.scale = scale
        boxedMetadata = Boxed(metadata)
        self.animation = animation
    }
}

/// What is known of a decoded picture beyond its pixels (X166).
public struct ImageMetadata: Sendable, Hashable {
    /// What its file's header said; `nil` for a picture that was made, not decoded.
    public var header: ImageHeader?
    /// The frame that the pixels show, counted from 0.
    public var frameIndex: Int
    /// Whether the file ended early and the rest of the picture is missing. Such a picture is never cached.
    public var isPartial: Bool
    /// Whether it was decoded to less than its own size.
    public var isThumbnail: Bool
    /// Whether a transform has changed it.
    public var isTransformed: Bool
    /// The colours that its pixels stand for.
    public var colorSpace: ColorSpace
    /// Whether it only stands in for the picture that is to come.
    public var isPlaceholder: Bool
    /// From which size to which a load decoded it; `nil` where the original was not at hand, but a file made of it was.
    public var sampling: Sampling?

    /// The format of the file it came from, where it came from one.
    public var format: ImageFormat? { header?.format }

    /// Metadata; by default those of a whole, unchanged picture.
    public init(
        header: ImageHeader? = nil, frameIndex: Int = 0, isPartial: Bool = false, isThumbnail: Bool = false,
        isTransformed: Bool = false, colorSpace: ColorSpace = .sRGB, sampling: Sampling? = nil,
        isPlaceholder: Bool = false
    ) {
        self.header = header
        self.frameIndex = frameIndex
        self.isPartial = isPartial
        self.isThumbnail = isThumbnail
        self.isTransformed = isTransformed
        self.colorSpace = colorSpace
        self.sampling = sampling
        self.isPlaceholder = isPlaceholder
    }
}
