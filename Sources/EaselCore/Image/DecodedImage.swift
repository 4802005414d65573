import EaselFoundation

/// A decoded image: its pixels, their scale and metadata, and the animation if the file has several frames.
public struct DecodedImage: Sendable {
    /// The pixels of the image, or of the requested frame.
    public var pixels: PixelBuffer {
        didSet { deepForm = nil }
    }
    /// The same image in 16 bits per channel, if the request specifies `PixelDepth.sixteen` and the file has more than
    /// 8: a PNG, AVIF, HEIC, JPEG XL or TIFF, or a frame of one; or if it has a gain map, as HDR. Resizing, cropping, flipping, quarter turns and round
    /// corners without a border keep them. Setting `pixels` removes them.
    public var deepPixels: DeepPixelBuffer? {
        get { deepForm?.pixels }
        set { deepForm = DeepForm(newValue, gainMap) }
    }
    /// The gain map of the file, if the request specifies `PixelDepth.sixteen` or a headroom. `deepPixels` are then the
    /// HDR image, with the map applied. Setting `pixels` removes it.
    public var gainMap: GainMap? {
        get { deepForm?.gainMap }
        set { deepForm = DeepForm(deepPixels, newValue) }
    }
    private var deepForm: DeepForm?
    /// Pixels per point: 2 for an `@2x` image.
    public var scale: Double
    /// The metadata of the file and the decode.
    public var metadata: ImageMetadata
    /// All frames, if the file has several and the request includes them. `pixels` are those of the first frame.
    public var animation: Animation?
    /// The time of `FileLedger` at which the file existed; set when the image is cached.
    var stamp: UInt64 = 0
    /// `CacheKey.urlDigest`; set when the image is cached.
    var urlDigest: Digest?
    /// The URL that it comes from, if that is not the URL of its request.
    var alternative: URL?
    /// Whether the file may have more frames, which were not requested.
    var isFirstFrameOnly = false

    /// Whether it is an SDR image with its HDR form in `deepPixels`. No file stores both.
    var hasAppliedGainMap: Bool { deepPixels != nil && metadata.header?.gainMapHeadroom != nil }

    /// The size in pixels.
    public var size: PixelSize { pixels.size }

    /// The cost of the image in a memory cache, in bytes: pixels, header and animation.
    public var memoryCost: Int {
        pixels.byteCount + (deepPixels?.byteCount ?? 0) + (gainMap?.pixels.byteCount ?? 0)
            + (metadata.header?.byteCount ?? 0) + (animation?.memoryCost ?? 0)
    }

    /// Creates an image.
    public init(pixels: PixelBuffer, scale: Double = 1, metadata: ImageMetadata, animation: Animation? = nil) {
        self.pixels = pixels
        self.scale = scale
        self.metadata = metadata
        self.animation = animation
    }
}

/// The parts of an image that few images have. Stored separately, because every copy of an image moves its stored
/// properties, and a gain map has more than 200 bytes.
private final class DeepForm: Sendable {
    let pixels: DeepPixelBuffer?
    let gainMap: GainMap?

    init?(_ pixels: DeepPixelBuffer?, _ gainMap: GainMap?) {
        if pixels == nil, gainMap == nil { return nil }
        self.pixels = pixels
        self.gainMap = gainMap
    }
}

/// The metadata of a decoded image.
public struct ImageMetadata: Sendable, Hashable {
    /// The header of the file, or `nil` for an image that was not decoded from one.
    public var header: ImageHeader?
    /// The frame that the pixels show, counted from 0.
    public var frameIndex: Int
    /// Whether the file ended early. A partial image is never cached.
    public var isPartial: Bool
    /// Whether it was decoded at less than its own size.
    package var isThumbnail: Bool
    /// Whether a transform has changed it.
    package var isTransformed: Bool
    /// The colors of its pixels.
    public var colorSpace: ColorSpace
    /// Whether it is a placeholder for an image that is loading.
    public var isPlaceholder: Bool
    /// The original and the decoded size, or `nil` if the image was decoded from a derived file.
    package var sampling: Sampling?

    /// Creates metadata; by default those of a complete, unchanged image.
    public init(
        header: ImageHeader? = nil, frameIndex: Int = 0, isPartial: Bool = false, isThumbnail: Bool = false,
        isTransformed: Bool = false, colorSpace: ColorSpace = .sRGB, isPlaceholder: Bool = false
    ) {
        self.header = header
        self.frameIndex = frameIndex
        self.isPartial = isPartial
        self.isThumbnail = isThumbnail
        self.isTransformed = isTransformed
        self.colorSpace = colorSpace
        self.isPlaceholder = isPlaceholder
    }
}

/// The colors of decoded pixels.
public enum ColorSpace: String, Sendable, Hashable, CaseIterable {
    /// sRGB (IEC 61966-2-1). Wider colors are clipped to it, and HDR is tone mapped.
    case sRGB
    /// Display P3: the primaries of DCI-P3, the white and the curve of sRGB.
    case displayP3
    /// The numbers of the file, without regard to its profile: for comparing files, not for display.
    case unconverted
}
