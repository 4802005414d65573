#if canImport(CoreGraphics) && canImport(ImageIO)
public import CoreGraphics
public import EaselCore
public import ImageIO

extension DecodedImage {
    /// The image as a `CGImage`: upright, in its own colour space, without a copy and without its scale.
    public var cgImage: CGImage? { pixels.cgImage(in: metadata.colorSpace) }

    /// Creates an image with upright pixels in sRGB.
    ///
    /// - Parameters:
    ///   - image: The image as it is stored.
    ///   - scale: Pixels per point.
    ///   - orientation: The orientation of the stored image.
    /// - Throws: The errors of `PixelBuffer.init(_:size:colorSpace:)`.
    public init(
        _ image: CGImage, scale: Double = 1, orientation: CGImagePropertyOrientation = .up
    ) throws(ImageError) {
        let pixels = try PixelBuffer(image)
            .upright(from: ImageOrientation(orientation), isCancelled: { false })
        self.init(pixels: pixels, scale: scale, metadata: ImageMetadata())
    }
}

extension ImageOrientation {
    /// Creates the orientation from Image I/O's value. Both use EXIF's numbers.
    public init(_ orientation: CGImagePropertyOrientation) {
        self = ImageOrientation(rawValue: Int(orientation.rawValue)) ?? .up
    }
}
#endif
