#if canImport(ImageIO)
public import EaselCore
public import Foundation
import ImageIO

/// Reads, shows early, plays and writes images by the system's Image I/O: HEIC, camera RAW, and whatever else the system
/// of the day knows.
///
/// Image I/O composes frames, finds files' colours and converts them. A frame cannot be cancelled once it has begun.
public struct ImageIOCoder: ImageDecoding {
    /// The files that it takes.
    public let format: ImageFormat

    /// A coder for the files of one format.
    public init(_ format: ImageFormat) {
        self.format = format
    }

    /// One for every file that the system can read, whatever its signature: for the end of the line, as it is asked
    /// about each file that comes there.
    public static let anyFormat = ImageIOCoder(.system)

    /// Coders for the formats that the system reads by themselves, and last, asked after all others, `anyFormat`.
    public static let all: [ImageIOCoder] =
        [anyFormat] + [.bmp, .ico, .tiff, .jpeg2000, .webp, .gif, .png, .jpeg, .heic, .avif].map(ImageIOCoder.init)

    /// Reads what the file says of itself.
    ///
    /// - Throws: `ImageError.badData` for what the system cannot read, or is cut off before its header ends.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try header(of: try SystemImageSource(data))
    }

    /// Decodes one frame, composited as shown.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported` for a frame that is not there,
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
        if image.metadata.isPartial, !options.allowsPartial { throw .badData("The image is damaged or cut off.") }
        return image
    }

    private func header(of source: SystemImageSource) throws(ImageError) -> ImageHeader {
        guard let header = source.header(as: format) else {
            throw .badData("The image is cut off before its header ends.")
        }
        return header
    }
}

extension ImageIOCoder: AnimationDecoding {
    /// Reads what the file says of itself; Image I/O composes frames as they are asked for.
    public func makeAnimationDecoder(
        _ data: Data, _ options: DecodeOptions
    ) throws(ImageError) -> any AnimationDecoder {
        let source = try SystemImageSource(data)
        let header = try header(of: source)
        try options.limits.check(header)
        return ImageIOFrames(source: source, header: header, options: options)
    }
}

/// The frames of one file.
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
    /// Shows what Image I/O can make of a file so far: rows of some formats, scans of others.
    public func makeIncrementalDecoder(_ options: DecodeOptions) -> any IncrementalDecoder {
        ImageIOArrivingImage(format, options)
    }
}

/// One file that is arriving.
private final class ImageIOArrivingImage: IncrementalDecoder {
    private let source = SystemImageSource(CGImageSourceCreateIncremental(nil))
    private let format: ImageFormat
    private let options: DecodeOptions
    /// Image I/O wants all that came, each time.
    private var data = Data()
    private var hasNews = false

    init(_ format: ImageFormat, _ options: DecodeOptions) {
        self.format = format
        self.options = options
    }

    func append(_ bytes: Data) throws(ImageError) {
        try options.checkCancellation()
        data.append(bytes)
        CGImageSourceUpdateData(source.source, data as CFData, false)
        hasNews = true
    }

    func preview() throws(ImageError) -> ImagePreview? {
        guard hasNews, source.count > 0, let header = source.header(as: format) else { return nil }
        hasNews = false
        try options.limits.check(header)
        let index = header.frameCount > 1 ? 0 : source.primaryIndex
        // What cannot be shown yet may be in a moment.
        guard var image = try? source.image(index, header, options) else {
            try options.checkCancellation()
            return nil
        }
        image.metadata.isPartial = true
        return ImagePreview(image: image)
    }
}

extension ImageFormat {
    /// Whatever the system can read: it is asked about the first bytes.
    static let system = ImageFormat("system", signatures: []) { bytes in
        guard let start = bytes.baseAddress else { return false }
        let data = Data(bytes: start, count: min(bytes.count, 4096))
        return CGImageSourceCreateWithData(data as CFData, nil).flatMap(CGImageSourceGetType) != nil
    }

    /// The uniform type identifiers of the formats that have a name here.
    private static let typeIdentifiers: [String: ImageFormat] = [
        "public.jpeg": .jpeg, "public.png": .png, "com.compuserve.gif": .gif, "org.webmproject.webp": .webp,
        "public.avif": .avif, "public.heic": .heic, "public.heif": .heic, "public.tiff": .tiff,
        "com.microsoft.bmp": .bmp, "com.microsoft.ico": .ico, "public.jpeg-2000": .jpeg2000, "public.jpeg-xl": .jxl,
    ]

    /// The format with this uniform type identifier; one that has no name here, as a camera's, is called by it.
    init?(typeIdentifier: String) {
        guard !typeIdentifier.isEmpty else { return nil }
        self = Self.typeIdentifiers[typeIdentifier] ?? ImageFormat(typeIdentifier, signatures: [])
    }

    /// The other way round.
    var typeIdentifier: String {
        // `heic` has two: the first that comes is HEVC's by name.
        self == .heic ? "public.heic" : Self.typeIdentifiers.first { $0.value == self }?.key ?? name
    }
}
#endif
