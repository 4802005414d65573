#if canImport(CoreGraphics) && canImport(ImageIO)
public import CoreGraphics
public import EaselCore
public import ImageIO

extension DecodedImage {
    /// The image as Core Graphics takes it: upright, in its own colours, without a copy. Its scale is not part of it.
    public var cgImage: CGImage? { pixels.cgImage(in: metadata.colorSpace) }

    /// The pixels of an image, upright, in sRGB.
    ///
    /// - Parameters:
    ///   - image: as it is stored.
    ///   - scale: pixels a point.
    ///   - orientation: how it is turned to stand upright.
    /// - Throws: what `PixelBuffer.init(_:size:colorSpace:)` throws.
    public init(
        _ image: CGImage, scale: Double = 1, orientation: CGImagePropertyOrientation = .up
    ) throws(ImageError) {
        let pixels = try PixelBuffer(image)
            .upright(from: ImageOrientation(orientation), isCancelled: { false })
        self.init(pixels: pixels, scale: scale, metadata: ImageMetadata())
    }
}

extension ImageOrientation {
    /// Image I/O's name for it; both are EXIF's numbers.
    public init(_ orientation: CGImagePropertyOrientation) {
        self = ImageOrientation(rawValue: Int(orientation.rawValue)) ?? .up
    }
}
#endif
