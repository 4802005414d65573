#if canImport(CoreGraphics)
public import CoreGraphics
public import EaselCore

extension PixelBuffer {
    /// The same pixels as Core Graphics takes them. No copy: the image keeps the buffer's storage.
    ///
    /// - Parameter colorSpace: what the numbers stand for, as `ImageMetadata.colorSpace` tells.
    public func cgImage(in colorSpace: ColorSpace = .sRGB) -> CGImage? {
        let owner = PixelOwner(self)
        guard let address = owner.address,
            // Whatever becomes of the provider, its last act is to let go of the owner.
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

    /// The pixels of an image of any kind, converted to `colorSpace`, drawn at its own size or at `size`.
    ///
    /// - Throws: `ImageError.tooLarge` where the machine has no room, `.unsupported` where Core Graphics cannot draw it.
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
            else { throw .unsupported("Core Graphics has no room for an image of \(size).") }
            // The bytes are recycled ones: what is drawn replaces them.
            context.setBlendMode(.copy)
            context.interpolationQuality = .high
            context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
        }
    }

    /// B, G, R, A in memory order, premultiplied, is a little-endian word with alpha first. Alpha that says nothing is
    /// skipped, so that nothing is blended.
    private static func bitmapInfo(isOpaque: Bool) -> UInt32 {
        let alpha = isOpaque ? CGImageAlphaInfo.noneSkipFirst : .premultipliedFirst
        return CGBitmapInfo.byteOrder32Little.rawValue | alpha.rawValue
    }
}

extension ColorSpace {
    /// What Core Graphics calls it. Numbers that nobody converted are taken for the device's own.
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

/// Keeps the pixels of an image that Core Graphics has.
private final class PixelOwner {
    private let pixels: PixelBuffer

    init(_ pixels: PixelBuffer) {
        self.pixels = pixels
    }

    /// Good for as long as this object is there: the storage never moves and never changes.
    var address: UnsafeRawPointer? { pixels.withUnsafeBytes(\.baseAddress) }
}
#endif
