/// What a file says of itself before any pixel is decoded.
public struct ImageHeader: Sendable, Hashable {
    /// The format that the content has.
    public var format: ImageFormat
    /// The size as stored, before orientation is applied. For animations, the canvas.
    public var storedSize: PixelSize
    /// How the stored picture is turned upright.
    public var orientation: ImageOrientation
    /// Frames in the file; 1 for a still picture.
    public var frameCount: Int
    /// How often an animation plays; 0 is for ever (X154). 1 for a still picture.
    public var loopCount: Int
    /// How long each frame is shown, as played (X155): empty for a still picture, else one a frame.
    public var frameDurations: [Duration]
    /// Whether a pixel can be transparent.
    public var hasAlpha: Bool
    /// Bits a component as stored: 8 for JPEG, up to 16 for PNG, 1 to 8 for palettes.
    public var bitDepth: Int
    /// The name of the embedded colour profile, `nil` where there is none.
    public var profileName: String?

    /// The size of the upright picture.
    public var size: PixelSize { orientation.upright(storedSize) }

    /// A header; what is not given is that of an opaque, upright, still 8-bit picture.
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

    /// The memory that it takes beyond its own fields, and beyond a short name.
    var byteCount: Int {
        frameDurations.count * MemoryLayout<Duration>.stride + (profileName?.utf8.count ?? 0)
    }
}
