public import EaselFoundation

/// The properties of a file that are read before any pixel is decoded.
public struct ImageHeader: Sendable, Hashable {
    /// The format of the content.
    public var format: ImageFormat
    /// The size as stored, before orientation is applied. For animations, the canvas.
    public var storedSize: PixelSize
    /// The orientation of the stored image.
    public var orientation: ImageOrientation
    /// The number of frames; 1 for a still image.
    public var frameCount: Int
    /// The number of loops of an animation; 0 means forever. 1 for a still image.
    public var loopCount: Int
    /// The duration of each frame, as played; empty for a still image.
    public var frameDurations: [Duration]
    /// Whether a pixel can be transparent.
    public var hasAlpha: Bool
    /// Bits per component as stored: 8 for JPEG, up to 16 for PNG, 1 to 8 for palettes.
    public var bitDepth: Int
    /// The name of the embedded color profile, `nil` if there is none.
    public var profileName: String?
    /// The headroom of HDR that the gain map of the file announces: its peak as a multiple of SDR white. `nil`
    /// without a gain map that Easel reads.
    public var gainMapHeadroom: Double? = nil

    /// The size of the upright image.
    public var size: PixelSize { orientation.upright(storedSize) }

    /// Creates a header; the defaults are those of an opaque, upright, still 8-bit image.
    public init(
        format: ImageFormat, storedSize: PixelSize, orientation: ImageOrientation = .up, frameCount: Int = 1,
        loopCount: Int = 1, frameDurations: [Duration] = [], hasAlpha: Bool = false, bitDepth: Int = 8,
        profileName: String? = nil
    ) {
        self.format = format
        self.storedSize = storedSize
        self.orientation = orientation
        self.frameCount = frameCount
        self.loopCount = loopCount
        self.frameDurations = frameDurations
        self.hasAlpha = hasAlpha
        self.bitDepth = bitDepth
        self.profileName = profileName
    }

    var byteCount: Int {
        frameDurations.count * MemoryLayout<Duration>.stride + (profileName?.utf8.count ?? 0)
    }
}

/// The limits for one image. Content from the network is hostile, so there is always a limit.
public struct ImageLimits: Sendable, Hashable {
    /// The most pixels that a header may announce: 100 megapixels.
    public var pixels: Int
    /// The most bytes of a body, after decompression: 256 MiB. An announced larger one is refused at once.
    public var bytes: Int
    /// The most frames of an animation: 10,000.
    public var frames: Int
    /// The deadline for one decode of drawings, AVIF, HEIC, JPEG, JPEG XL, large PNG and large lossless WebP: 5 s. The
    /// others take time in proportion to the bytes and the pixels.
    public var decodingTime: Duration

    /// Creates limits; the defaults are those named above.
    public init(
        pixels: Int = 100_000_000, bytes: Int = 256 << 20, frames: Int = 10_000, decodingTime: Duration = .seconds(5)
    ) {
        self.pixels = pixels
        self.bytes = bytes
        self.frames = frames
        self.decodingTime = decodingTime
    }

    /// Refuses a header beyond the limits, before anything is allocated.
    ///
    /// - Throws: `ImageError.tooLarge`, or `.badData` for an image without pixels.
    public func check(_ header: ImageHeader) throws(ImageError) {
        guard header.storedSize.width > 0, header.storedSize.height > 0 else {
            throw .badData("The image has no pixels: its header has the size \(header.storedSize).")
        }
        guard let area = header.storedSize.area, area <= pixels else {
            throw .tooLarge(.pixels(header.storedSize, limit: pixels))
        }
        guard header.frameCount <= frames else {
            throw .tooLarge(.frames(header.frameCount, limit: frames))
        }
    }
}

/// The EXIF and XMP metadata of a file. Profiles are not included, because decoded pixels are already converted by
/// them.
public struct FileMetadata: Sendable, Hashable {
    /// EXIF (CIPA DC-008): the TIFF structure, from its byte order on.
    public var exif: Data?
    /// XMP (ISO 16684-1): the packet, in UTF-8.
    public var xmp: Data?

    package var isEmpty: Bool { exif == nil && xmp == nil }

    /// Creates metadata; none by default.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }
}

/// A decoder that reads metadata, which the encoder of its format can write: `EncodeOptions.metadata`.
public protocol MetadataReading: ImageDecoding {
    /// Returns the metadata of a file without decoding pixels. Damaged metadata is left out.
    ///
    /// - Throws: `ImageError.badData` if the file is not of this format.
    func metadata(of data: Data) throws(ImageError) -> FileMetadata
}
