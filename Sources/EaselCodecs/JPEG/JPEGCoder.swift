public import EaselCore
public import EaselFoundation

/// Reads and writes JPEG: baseline, progressive, gray, RGB and CMYK. What is whole and regular is read by a reader of Easel's own,
/// damaged files and rare kinds by libjpeg-turbo: arithmetic coding and, from version 3 on, lossless files where the system's
/// library reads them. The pixels are the same.
///
/// To a smaller size it decodes less: at 1/2, 1/4 or 1/8 already from the transform, and from a progressive file's first
/// scan alone where that suffices. Only the part of the image that was read can then show damage.
public struct JPEGCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `jpeg`.
    public var format: ImageFormat { .jpeg }

    /// Reads the markers up to the first scan.
    ///
    /// - Throws: `ImageError.badData` for what is not a JPEG or is cut off before its first scan, `.tooLarge` for a side
    ///   of more than 65,500 pixels, which libjpeg does not read, `.unsupported` for samples of other than 8 bits and for kinds of
    ///   JPEG that the system's libjpeg does not decode.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try JPEGDecompressor(bytes).header()
        }
    }

    /// Decodes the image.
    ///
    /// A cut-off or damaged file is an error, or, with `allowsPartial`, the image with gray where data is missing.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            try Self.decode(bytes, options)
        }
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let decompressor = try JPEGDecompressor(bytes)
        let header = decompressor.header()
        try options.check(header)
        try options.checkCancellation()
        let target = options.storedTargetSize(for: header)
        let scale = JPEGScale(from: header.storedSize, to: target, hasMeanScan: decompressor.hasMeanScan)
        let colors = decompressor.colors()
        let inks =
            decompressor.isCMYK ? CMYK(colors, isInverted: decompressor.isInkInverted, to: options.colorSpace) : nil
        let pixels: PixelBuffer
        if let read = try JPEGReader.pixels(
            of: Span(_unsafeElements: bytes), scale, inks, isCancelled: options.isCancelled)
        {
            pixels = read
        } else {
            pixels = try decompressor.pixels(scale, inks, isCancelled: options.isCancelled)
        }
        let isDamaged = decompressor.isDamaged
        if isDamaged, !options.allowsPartial {
            throw .badData("The JPEG is damaged or cut off: \(decompressor.message).")
        }
        let scaled = try pixels.resized(
            to: target, extent: scale.extent(of: header.storedSize, decodedAs: pixels.size),
            isCancelled: options.isCancelled)
        return try DecodedImage(
            stored: scaled, header: header, options: options, colors: inks.map { $0.colors } ?? colors,
            isPartial: isDamaged)
    }
}

/// How much of a JPEG is decoded: its blocks of 8 x 8 pixels can come out as 4 x 4, 2 x 2 or 1 x 1.
struct JPEGScale: Equatable {
    /// 1, 2, 4 or 8.
    var denominator: Int
    /// Whether the first scan of a progressive file, which holds each block's mean, is all that is read.
    var usesFirstScanOnly: Bool

    /// The smallest scale that leaves the resampler half as much again as `target`; means of blocks are sharp enough
    /// only where something is left to weigh.
    ///
    /// From an eighth on, a progressive file's first scan gives the same image ten times as fast, and for it every
    /// size that the means suffice for is taken.
    init(from stored: PixelSize, to target: PixelSize, hasMeanScan: Bool) {
        func suffices(_ denominator: Int, _ margin: Double) -> Bool {
            Double(stored.width) >= Double(target.width * denominator) * margin
                && Double(stored.height) >= Double(target.height * denominator) * margin
        }
        usesFirstScanOnly = hasMeanScan && suffices(8, 1)
        denominator = usesFirstScanOnly ? 8 : [8, 4, 2].first { suffices($0, 1.5) } ?? 1
    }

    /// The part of the decoded pixels that the image covers, in pixels of them: it need not fill the last ones.
    ///
    /// - Parameter decoded: the size that they have. Of a lossless file it is the stored one, whatever the scale.
    func extent(of stored: PixelSize, decodedAs decoded: PixelSize) -> (width: Double, height: Double) {
        let denominator = decoded == stored ? 1 : Double(denominator)
        return (Double(stored.width) / denominator, Double(stored.height) / denominator)
    }
}

extension JPEGCoder: MetadataReading {
    /// Reads the first EXIF and the first XMP among the segments before the image. The parts of an XMP that needs more
    /// than one segment are left out.
    ///
    /// - Throws: `ImageError.badData` for what is no JPEG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let file = data.span
        guard file.bigEndian16(at: 0) == 0xFFD8 else { throw .badData("Not a JPEG file.") }
        var metadata = FileMetadata()
        var offset = 2
        while let marker = file.bigEndian16(at: offset), marker != JPEGSegments.startOfScan, marker >= 0xFF01,
            let length = file.bigEndian16(at: offset + 2), length >= 2, length <= file.count - offset - 2
        {
            let content = (offset + 4)..<(offset + 2 + length)
            if marker == JPEGSegments.application1 {
                let segment = file.extracting(content)
                if metadata.exif == nil, let exif = JPEGSegments.content(of: segment, behind: JPEGSegments.exifName) {
                    metadata.exif = exif
                }
                if metadata.xmp == nil, let xmp = JPEGSegments.content(of: segment, behind: JPEGSegments.xmpName) {
                    metadata.xmp = xmp
                }
            }
            offset = content.upperBound
        }
        return metadata
    }
}

/// The segments that hold a JPEG's metadata.
enum JPEGSegments {
    static let application1 = 0xFFE1
    static let startOfScan = 0xFFDA
    static let exifName: StaticString = "Exif\0\0"
    static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    /// Returns the bytes after a segment's name.
    static func content(of segment: Span<UInt8>, behind name: StaticString) -> Data? {
        guard segment.hasText(name, at: 0) else { return nil }
        return segment.extracting(name.utf8CodeUnitCount..<segment.count).withUnsafeBytes { Data($0) }
    }

    /// The file with metadata where EXIF wants it: in front of all else.
    ///
    /// - Throws: `ImageError.unsupported` for more than a segment holds.
    static func insert(_ metadata: (exif: [UInt8]?, xmp: [UInt8]?), into file: Data) throws(ImageError) -> Data {
        var result = Data([0xFF, 0xD8])
        for (name, content) in [(exifName, metadata.exif), (xmpName, metadata.xmp)] {
            guard let content else { continue }
            let count = name.utf8CodeUnitCount + content.count + 2
            guard count <= 0xFFFF else {
                throw .unsupported("A JPEG has no room for \(content.count) bytes of metadata: it takes about 65,500.")
            }
            result += [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 0xFF)]
            result += name.withUTF8Buffer { Array($0) } + content
        }
        return result + file.dropFirst(2)
    }
}
