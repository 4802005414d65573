#if canImport(ImageIO)
public import EaselCore
public import Foundation
import CoreGraphics
import ImageIO

/// Decodes, previews and animates images with the system's Image I/O: HEIC, camera RAW, and all other formats that the
/// system version supports.
///
/// Image I/O composites frames and converts colours. A frame cannot be cancelled after it started.
public struct ImageIOCoder: ImageDecoding {
    /// The format of the files.
    public let format: ImageFormat

    /// Creates a coder for one format.
    public init(_ format: ImageFormat) { self.format = format }

    /// A coder for all files that the system can read, regardless of signature. Register it last, because it checks
    /// each file that reaches it.
    public static let anyFormat = ImageIOCoder(.system)

    /// The coders for the system's formats, followed by `anyFormat`.
    public static let all: [ImageIOCoder] =
        [anyFormat] + [.bmp, .ico, .tiff, .jpeg2000, .webp, .gif, .png, .jpeg, .heic, .avif].map(ImageIOCoder.init)

    /// Returns the header of a file.
    ///
    /// - Throws: `ImageError.badData` if the system cannot read the data, or it ends within the header.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try header(of: try SystemImageSource(data))
    }

    /// Decodes one frame, composited as shown.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` if the frame does not exist, or
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let source = try SystemImageSource(data)
        let header = try header(of: source)
        try options.limits.check(header)
        guard options.frame >= 0, options.frame < header.frameCount else {
            throw .unsupported(
                "There is no frame \(options.frame): the image has \(header.frameCount), counted from 0.")
        }
        let image = try source.image(
            header.frameCount > 1 ? options.frame : source.primaryIndex, header, options)
        if image.metadata.isPartial, !options.allowsPartial { throw .badData("The image is damaged or truncated.") }
        return image
    }

    private func header(of source: SystemImageSource) throws(ImageError) -> ImageHeader {
        guard let header = source.header(as: format) else {
            throw .badData("The image is truncated before the end of its header.")
        }
        return header
    }
}

extension ImageIOCoder: AnimationDecoding {
    /// Creates a decoder for the frames. Image I/O composites them on demand.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        let source = try SystemImageSource(data)
        let header = try header(of: source)
        try options.limits.check(header)
        return ImageIOFrames(source: source, header: header, options: options)
    }
}

private final class ImageIOFrames: AnimationDecoder {
    let header: ImageHeader
    private let source: SystemImageSource
    private let options: DecodeOptions

    init(source: SystemImageSource, header: ImageHeader, options: DecodeOptions) {
        self.source = source
        self.header = header
        self.options = options
    }

    func frame(_ index: Int, isCancelled: @Sendable () -> Bool) throws(ImageError) -> DecodedImage {
        guard index >= 0, index < header.frameCount else {
            throw .unsupported("There is no frame \(index): the animation has \(header.frameCount), counted from 0.")
        }
        if isCancelled() { throw .cancelled }
        return try source.image(index, header, options)
    }
}

extension ImageIOCoder: IncrementalDecoding {
    /// Creates a decoder of partial files, which shows rows or scans depending on the format.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        ImageIOPartialImage(format, options)
    }
}

private final class ImageIOPartialImage: IncrementalDecoder {
    private let source = SystemImageSource(CGImageSourceCreateIncremental(nil))
    private let format: ImageFormat
    private let options: DecodeOptions
    /// Image I/O requires all previous data with each update.
    private var data = Data()
    private var hasNewData = false

    init(_ format: ImageFormat, _ options: DecodeOptions) {
        self.format = format
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        data.append(bytes)
        CGImageSourceUpdateData(source.source, data as CFData, false)
        hasNewData = true
    }

    func preview() throws(ImageError) -> DecodedImage? {
        guard hasNewData, source.count > 0, let header = source.header(as: format) else { return nil }
        hasNewData = false
        try options.limits.check(header)
        let index = header.frameCount > 1 ? 0 : source.primaryIndex
        // More data may make a preview possible.
        guard var image = try? source.image(index, header, options) else {
            try options.checkCancellation()
            return nil
        }
        image.metadata.isPartial = true
        return image
    }
}

/// An image encoder that uses the system's Image I/O.
public struct ImageIOEncoder: ImageEncoding {
    /// The format to write.
    public let format: ImageFormat

    /// Creates an encoder for one format. The system writes JPEG, PNG, HEIC, TIFF, BMP and JPEG 2000, but not WebP.
    public init(_ format: ImageFormat) { self.format = format }

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
        let failure = ImageError.unsupported("The system does not write \(format.name).")
        guard let bitmap = image.cgImage,
            let destination = CGImageDestinationCreateWithData(
                data as CFMutableData, format.typeIdentifier as CFString, 1, nil)
        else { throw failure }
        let background = CGColor(
            srgbRed: CGFloat(options.background.red) / 255, green: CGFloat(options.background.green) / 255,
            blue: CGFloat(options.background.blue) / 255, alpha: 1)
        var properties: [CFString: Any] = [kCGImageDestinationBackgroundColor: background]
        if isLossy(options) { properties[kCGImageDestinationLossyCompressionQuality] = options.quality }
        if options.isProgressive {
            properties[kCGImagePropertyJFIFDictionary] = [kCGImagePropertyJFIFIsProgressive: true]
        }
        CGImageDestinationAddImage(destination, bitmap, properties as CFDictionary)
        guard CGImageDestinationFinalize(destination) else { throw failure }
        return Data(referencing: data)
    }
}

extension ImageFormat {
    /// All formats that the system can read, determined by the first bytes.
    static let system = ImageFormat("system", signatures: []) { bytes in
        guard let start = bytes.baseAddress else { return false }
        let data = Data(bytes: start, count: min(bytes.count, 4096))
        return CGImageSourceCreateWithData(data as CFData, nil).flatMap(CGImageSourceGetType) != nil
    }

    private static let typeIdentifiers: [String: ImageFormat] = [
        "public.jpeg": .jpeg, "public.png": .png, "com.compuserve.gif": .gif, "org.webmproject.webp": .webp,
        "public.avif": .avif, "public.heic": .heic, "public.heif": .heic, "public.tiff": .tiff,
        "com.microsoft.bmp": .bmp, "com.microsoft.ico": .ico, "public.jpeg-2000": .jpeg2000, "public.jpeg-xl": .jxl,
    ]

    /// Creates the format of a uniform type identifier. An unknown format, such as a camera's, is named by the
    /// identifier.
    init?(typeIdentifier: String) {
        guard !typeIdentifier.isEmpty else { return nil }
        self = Self.typeIdentifiers[typeIdentifier] ?? ImageFormat(typeIdentifier, signatures: [])
    }

    var typeIdentifier: String {
        // `heic` has two identifiers; prefer the one for HEVC.
        self == .heic ? "public.heic" : Self.typeIdentifiers.first { $0.value == self }?.key ?? name
    }
}
#endif
