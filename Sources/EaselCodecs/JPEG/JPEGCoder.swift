public import EaselCore
public import EaselFoundation

/// A coder for JPEG: baseline, progressive, gray, RGB and CMYK.
///
/// Regular files are decoded by Easel's own reader; damaged files and rare kinds by libjpeg-turbo: arithmetic coding
/// and, since version 3, lossless files if the system's library reads them. Both give the same pixels.
///
/// For a smaller target size it decodes less: at 1/2, 1/4 or 1/8 in the transform, and only the first scan of a
/// progressive file if that suffices. Damage is detected only in the part that is decoded.
public struct JPEGCoder: ImageDecoding {
    /// Creates a coder. It has no settings.
    public init() {}

    /// `jpeg`.
    public var format: ImageFormat { .jpeg }

    /// Reads the markers up to the first scan.
    ///
    /// - Throws: `ImageError.badData` for data that is not a JPEG or ends before its first scan; `.tooLarge` for a side
    ///   of more than 65,500 pixels, which libjpeg does not read; `.unsupported` for samples of other than 8 bits and
    ///   for kinds of JPEG that the system's libjpeg does not decode.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
            let file = try JPEGFile(bytes)
            var header = file.header()
            header.gainMapHeadroom = JPEGGainMap(in: Span(_unsafeElements: bytes), file.metadata)?.parameters.headroom
            return header
        }
    }

    /// Decodes the image.
    ///
    /// A truncated or damaged file is an error or, with `allowsPartial`, the image with gray instead of missing data.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation and at the time limit, `.badData`, `.unsupported`,
    ///   `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try options.runInterruptibly { (options) throws(ImageError) in
            try data.span.withUnsafeBufferPointer { (bytes) throws(ImageError) in
                try Self.decode(bytes, options)
            }
        }
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions
    ) throws(ImageError) -> DecodedImage {
        let file = try JPEGFile(bytes)
        var header = file.header()
        let gainMap = JPEGGainMap(in: Span(_unsafeElements: bytes), file.metadata)
        header.gainMapHeadroom = gainMap?.parameters.headroom
        try options.check(header)
        try options.checkCancellation()
        let target = options.storedTargetSize(for: header)
        let scale = JPEGScale(from: header.storedSize, to: target, hasMeanScan: file.hasMeanScan)
        let colors = file.colors()
        let inks = file.inks(colors, to: options.colorSpace)
        let (pixels, damage) = try file.pixels(scale, inks, isCancelled: options.isCancelled)
        if let damage, !options.allowsPartial { throw .badData("The JPEG is damaged or truncated: \(damage).") }
        let scaled = try pixels.resized(
            to: target, extent: scale.extent(of: header.storedSize, decodedAs: pixels.size),
            isCancelled: options.isCancelled)
        if options.wantsGainMap, inks == nil, damage == nil, let map = try gainMap?.decode(bytes, header, options) {
            return try DecodedImage(stored: scaled, gainMap: map, header: header, options: options, colors: colors)
        }
        return try DecodedImage(
            stored: scaled, header: header, options: options, colors: inks.map { $0.colors } ?? colors,
            isPartial: damage != nil)
    }
}

/// The scale at which a JPEG is decoded: its blocks of 8 x 8 pixels become 8 x 8, 4 x 4, 2 x 2 or 1 x 1.
struct JPEGScale: Equatable {
    /// 1, 2, 4 or 8.
    var denominator: Int
    /// Whether only the first scan of a progressive file is read, which has the mean of each block.
    var usesFirstScanOnly: Bool

    /// Chooses the smallest scale that is at least 1.5 times `target`, so that the resampler keeps the result sharp.
    ///
    /// The first scan of a progressive file gives the image at an eighth ten times as fast. It is used for every size
    /// that it covers.
    init(from stored: PixelSize, to target: PixelSize, hasMeanScan: Bool) {
        func suffices(_ denominator: Int, _ margin: Double) -> Bool {
            Double(stored.width) >= Double(target.width * denominator) * margin
                && Double(stored.height) >= Double(target.height * denominator) * margin
        }
        usesFirstScanOnly = hasMeanScan && suffices(8, 1)
        denominator = usesFirstScanOnly ? 8 : [8, 4, 2].first { suffices($0, 1.5) } ?? 1
    }

    /// Returns the extent of the image in decoded pixels. The image may cover only a part of the last ones.
    ///
    /// - Parameter decoded: the decoded size. For a lossless file it is the stored size at any scale.
    func extent(of stored: PixelSize, decodedAs decoded: PixelSize) -> (width: Double, height: Double) {
        let denominator = decoded == stored ? 1 : Double(denominator)
        return (Double(stored.width) / denominator, Double(stored.height) / denominator)
    }
}

extension JPEGCoder: MetadataReading {
    /// Reads the first EXIF and the first XMP segment before the image. Extended XMP, which needs more than one
    /// segment, is left out.
    ///
    /// - Throws: `ImageError.badData` for data that is not a JPEG.
    public func metadata(of data: Data) throws(ImageError) -> FileMetadata {
        let file = data.span
        guard file.bigEndian16(at: 0) == 0xFFD8 else { throw .badData("Not a JPEG file.") }
        let metadata = try JPEGMetadata(file)
        func content(_ range: Range<Int>?) -> Data? { range.map { file.extracting($0).withUnsafeBytes { Data($0) } } }
        return FileMetadata(exif: content(metadata.exif), xmp: content(metadata.xmp))
    }
}
