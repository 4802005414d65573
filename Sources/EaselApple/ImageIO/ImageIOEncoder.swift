#if canImport(ImageIO)
public import EaselCore
public import Foundation
import CoreGraphics
import ImageIO

/// Encodes images with the system's Image I/O.
public struct ImageIOEncoder: ImageEncoding {
    /// The format to write.
    public let format: ImageFormat

    /// Creates an encoder for one format. The system writes JPEG, PNG, HEIC, TIFF, BMP and JPEG 2000, but not WebP.
    public init(_ format: ImageFormat) {
        self.format = format
    }

    /// The encoders that caches and applications commonly need.
    public static let all: [ImageIOEncoder] = [.tiff, .heic, .png, .jpeg].map(ImageIOEncoder.init)

    /// Encodes the pixels of `image`. Formats without alpha are blended with `options.background`.
    ///
    /// - Throws: `ImageError.unsupported` if the system does not write the format, `.tooLarge` if the result exceeds
    ///   the size limit.
    public func encode(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        try options.fitting(image, isLossy: isLossy(options)) { (image, options) throws(ImageError) in
            try write(image, options)
        }
    }

    private func isLossy(_ options: EncodeOptions) -> Bool {
        [.jpeg, .heic, .jpeg2000].contains(format) && !options.isLossless
    }

    private func write(_ image: DecodedImage, _ options: EncodeOptions) throws(ImageError) -> Data {
        let data = NSMutableData()
        let refused = ImageError.unsupported("The system does not write \(format.name).")
        guard let bitmap = image.cgImage,
            let destination = CGImageDestinationCreateWithData(
                data as CFMutableData, format.typeIdentifier as CFString, 1, nil)
        else { throw refused }
        let background = CGColor(
            srgbRed: CGFloat(options.background.red) / 255, green: CGFloat(options.background.green) / 255,
            blue: CGFloat(options.background.blue) / 255, alpha: 1)
        var properties: [CFString: Any] = [kCGImageDestinationBackgroundColor: background]
        if isLossy(options) { properties[kCGImageDestinationLossyCompressionQuality] = options.quality }
        if options.isProgressive {
            properties[kCGImagePropertyJFIFDictionary] = [kCGImagePropertyJFIFIsProgressive: true]
        }
        CGImageDestinationAddImage(destination, bitmap, properties as CFDictionary)
        guard CGImageDestinationFinalize(destination) else { throw refused }
        return Data(referencing: data)
    }
}
#endif
