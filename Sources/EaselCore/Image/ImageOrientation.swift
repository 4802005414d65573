/// How a stored picture has to be turned to stand upright: the eight values of EXIF's tag 0x0112.
///
/// Decoders apply it once, so that every `PixelBuffer` is upright (X163); it is kept in the metadata to tell what was done.
public enum ImageOrientation: Int, Sendable, Hashable, CaseIterable {
    /// Stored as shown.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by half.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from top left.
    case leftMirrored = 5
    /// To be turned a quarter clockwise.
    case right = 6
    /// Mirrored along the diagonal from top right.
    case rightMirrored = 7
    /// To be turned a quarter counter-clockwise.
    case left = 8

    /// Whether width and height change places.
    public var swapsSides: Bool { rawValue >= 5 }

    /// The size of the upright picture for a stored one.
    public func upright(_ stored: PixelSize) -> PixelSize { swapsSides ? stored.transposed : stored }
}
