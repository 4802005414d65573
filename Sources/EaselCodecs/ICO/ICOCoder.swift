public import EaselCore

public import EaselFoundation

/// Reads Windows icons and cursors. The pictures in them are one picture in several sizes: the file has the largest size, and
/// a smaller one is decoded from the entry that is nearest to it.
public struct ICOCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `ico`, for cursors too.
    public var format: ImageFormat { .ico }

    /// Reads the directory, and the headers of the pictures.
    ///
    /// - Throws: `ImageError.badData` for what is no icon, or holds no picture that can be read.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try Self.header(of: try ICOFile(data.span).best, in: data)
    }

    /// Decodes the picture. Clear is what its alpha says, or where it has none its mask.
    ///
    /// A file that does not hold all that its directory names is an error, or with `allowsPartial` what is there.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let file = try ICOFile(data.span)
        let header = try Self.header(of: file.best, in: data)
        try options.check(header)
        try options.checkCancellation()
        if file.isCutOff, !options.allowsPartial { throw .badData("The ICO is cut off, or names pictures it lacks.") }
        let entry = file.entry(for: options.targetSize.size(for: header.size))
        try options.check(try Self.header(of: entry, in: data))
        switch entry.content {
        case .bitmap(let bitmap):
            let picture = try BMPPicture(
                bitmap, in: data.span.extracting(entry.data), isCancelled: options.isCancelled)
            if picture.isPartial, !options.allowsPartial { throw .badData("The ICO's picture is cut off.") }
            return try DecodedImage(
                stored: picture.pixels, header: header, options: options,
                isPartial: picture.isPartial || file.isCutOff)
        case .png:
            var whole = options
            whole.targetSize = .original
            whole.frame = 0
            let picture = try PNGCoder().decode(Self.content(of: entry, in: data), whole)
            return try DecodedImage(
                stored: picture.pixels, header: header, options: options,
                isPartial: picture.metadata.isPartial || file.isCutOff)
        }
    }

    /// The header of one entry. Whatever a PNG says of frames and orientation, an icon has neither.
    private static func header(of entry: ICOFile.Entry, in data: Data) throws(ImageError) -> ImageHeader {
        switch entry.content {
        case .bitmap(let bitmap): return bitmap.imageHeader(format: .ico)
        case .png:
            let header = try PNGCoder().header(of: content(of: entry, in: data))
            return ImageHeader(
                format: .ico, storedSize: header.storedSize, hasAlpha: header.hasAlpha, bitDepth: header.bitDepth,
                profileName: header.profileName)
        }
    }

    /// The entry's bytes. `data` may be a slice whose indices do not start at 0.
    private static func content(of entry: ICOFile.Entry, in data: Data) -> Data {
        data.dropFirst(entry.data.lowerBound).prefix(entry.data.count)
    }
}
