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

extension PixelBuffer {
    /// Returns the pixels as a `CGImage` without a copy. The image retains the buffer's storage.
    ///
    /// - Parameter colorSpace: The colour space of the pixels, as in `ImageMetadata.colorSpace`.
    public func cgImage(in colorSpace: ColorSpace = .sRGB) -> CGImage? {
        let owner = PixelOwner(self)
        guard let address = owner.address,
            // The provider always releases the owner at its end.
            let provider = CGDataProvider(
                dataInfo: Unmanaged.passRetained(owner).toOpaque(), data: address, size: byteCount,
                releaseData: { owner, _, _ in
                    if let owner { Unmanaged<PixelOwner>.fromOpaque(owner).release() }
                })
        else { return nil }
        return CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: bytesPerRow,
            space: colorSpace.cgColorSpace, bitmapInfo: CGBitmapInfo(rawValue: Self.bitmapInfo(isOpaque: isOpaque)),
            provider: provider, decode: nil, shouldInterpolate: true, intent: .defaultIntent)
    }

    /// Creates a buffer from an image of any kind, converted to `colorSpace`, at its own size or scaled to `size`.
    ///
    /// - Throws: `ImageError.tooLarge` if memory is insufficient, `.unsupported` if Core Graphics cannot draw the
    ///   image.
    public init(
        _ image: CGImage, size: PixelSize? = nil, colorSpace: ColorSpace = .sRGB
    ) throws(ImageError) {
        let size = size ?? PixelSize(image.width, image.height)
        let isOpaque = [.none, .noneSkipFirst, .noneSkipLast].contains(image.alphaInfo)
        try self.init(size: size, isOpaque: isOpaque) { (bytes, bytesPerRow) throws(ImageError) in
            guard
                let context = CGContext(
                    data: bytes.baseAddress, width: size.width, height: size.height, bitsPerComponent: 8,
                    bytesPerRow: bytesPerRow, space: colorSpace.cgColorSpace,
                    bitmapInfo: Self.bitmapInfo(isOpaque: isOpaque))
            else { throw .unsupported("Core Graphics cannot draw an image of \(size).") }
            // The recycled buffer has old content, so drawing must replace it.
            context.setBlendMode(.copy)
            context.interpolationQuality = .high
            context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
        }
    }

    /// B, G, R, A in memory order, premultiplied, is a little-endian word with alpha first. Alpha of opaque images is
    /// skipped, so that nothing is blended.
    private static func bitmapInfo(isOpaque: Bool) -> UInt32 {
        let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
        return CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue
    }
}

extension ColorSpace {
    /// The Core Graphics colour space. Unconverted values count as the device's colour space.
    var cgColorSpace: CGColorSpace {
        let named: CGColorSpace? =
            switch self {
            case .sRGB: CGColorSpace(name: CGColorSpace.sRGB)
            case .displayP3: CGColorSpace(name: CGColorSpace.displayP3)
            case .unconverted: nil
            }
        return named ?? CGColorSpaceCreateDeviceRGB()
    }
}

/// An object that retains the pixels for Core Graphics.
private final class PixelOwner {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) { self.pixels = pixels }

    /// Valid as long as this object: the storage neither moves nor changes.
    var address: UnsafeRawPointer? { pixels.withUnsafeBytes(\.baseAddress) }
}
#endif
