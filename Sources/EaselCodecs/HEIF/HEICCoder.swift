#if HEIF
import CHEIF
public import EaselCore
public import EaselFoundation

/// Reads HEIC and HEIF through libheif: the primary image, of 8 bits or more, with alpha.
///
/// The file's own rotation, mirroring and cropping are applied, and its EXIF orientation is not: that would turn it
/// twice. To a smaller size an embedded thumbnail is taken where it is large enough.
public struct HEICCoder: ImageDecoding {
    /// A coder; it has no settings.
    public init() {}

    /// `heic`.
    public var format: ImageFormat { .heic }

    /// Reads the boxes; no pixel is decompressed.
    ///
    /// - Throws: `ImageError.badData` for what is no HEIF or is cut off, `.unsupported` for an image sequence without
    ///   a still image, which libheif does not read.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try HEIFFile.header(of: data)
    }

    /// Decodes the primary image.
    ///
    /// HEVC gives no image before it has all of it: a cut-off file is an error even with `allowsPartial`. A cancelled load
    /// leaves a large image, which nothing can interrupt, to a thread of its own.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try HEIFFile.decode(data, options)
    }
}

/// A HEIF file that libheif has opened, and its primary image. Its boxes are read; nothing is decompressed.
///
/// The file's own transformations count as applied: every size is that of the upright image.
final class HEIFFile: LibraryFile {
    /// What the file says of itself.
    let header: ImageHeader
    /// What the image's numbers mean.
    let colors: ColorDescription

    private let context: OpaquePointer
    private let primary: HEIFImage

    /// - Parameters:
    ///   - bytes: the file. It must stay where it is as long as this object lives.
    ///   - limits: what libheif may take on.
    /// - Throws: `ImageError.badData` for what is no HEIF or is cut off, `.unsupported` for a kind of HEIF that
    ///   libheif does not read, `.tooLarge`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        guard let context = heif_context_alloc() else {
            throw .unsupported("There is no memory left to decode the HEIF.")
        }
        // A side cannot be longer than an image of one row.
        Self.limit(context, longestSide: limits.pixels, pixels: limits.pixels)
        heif_context_set_max_decoding_threads(context, 1)
        do throws(ImageError) {
            try HEIFError.check(
                heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
            var handle: OpaquePointer?
            try HEIFError.check(heif_context_get_primary_image_handle(context, &handle))
            guard let handle else { throw ImageError.badData("The HEIF has no image in it.") }
            primary = HEIFImage(handle)
        } catch {
            heif_context_free(context)
            let span = Span(_unsafeElements: bytes)
            if let size = span.largestAnnouncedSize(), size.area ?? .max > limits.pixels {
                throw .tooLarge(.pixels(size, limit: limits.pixels))
            }
            let file = 0..<span.count
            if span.firstBox("moov", in: file) != nil, span.firstBox("meta", in: file) == nil {
                throw .unsupported("The HEIF is an image sequence without a still image, which libheif cannot read.")
            }
            throw error
        }
        // A grid may say that it is larger than its item. Tiles, which may be larger than the image, are small.
        let longestSide = max(primary.longestStoredSide, 4096)
        Self.limit(context, longestSide: longestSide + 1, pixels: primary.storedPixels)
        self.context = context
        let profile = primary.profile(asksForCodePoints: !Span(_unsafeElements: bytes).hasUnknownCodePoints)
        colors = profile.colors
        header = ImageHeader(
            format: .heic, storedSize: primary.size, hasAlpha: primary.hasAlpha, bitDepth: primary.bitDepth,
            profileName: profile.name)
    }

    deinit {
        heif_context_free(context)
    }

    /// Tiles, and thumbnails, may be larger than the limit: they are small.
    private static func limit(_ context: OpaquePointer, longestSide: Int, pixels: Int) {
        easel_heif_set_limits(context, Int32(clamping: longestSide), UInt64(max(pixels, 1 << 24)))
    }

    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try pixels(for: options.targetSize.size(for: header.size))
        try options.checkCancellation()
        let image = try DecodedImage(stored: pixels, header: header, options: options, colors: colors)
        guard options.wantsDeepPixels(of: header) else { return image }
        return try image.withDeepPixels(primary.deepPixels(), header: header, options: options, colors: colors)
    }

    /// The primary image, or where it is large enough for `size` and of the same proportions, a smaller one that
    /// the file has of it.
    ///
    /// - Throws: `ImageError.badData`, `.unsupported`.
    private func pixels(for size: PixelSize) throws(ImageError) -> PixelBuffer {
        guard size != primary.size, let thumbnail = primary.thumbnail(for: size) else {
            return try primary.pixels()
        }
        return try thumbnail.pixels()
    }
}

/// libheif's errors as Easel's.
enum HEIFError {
    static func check(_ error: heif_error) throws(ImageError) {
        guard error.code != heif_error_Ok else { return }
        let reason = error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
        switch error.code {
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw .unsupported("This kind of HEIF cannot be read here: \(reason).")
        case heif_error_Memory_allocation_error where error.subcode != heif_suberror_Security_limit_exceeded:
            throw .unsupported("There is no memory left to decode the HEIF.")
        default:
            throw .badData("The HEIF is damaged or cut off: \(reason).")
        }
    }
}

/// What libheif is not asked: to code points that it does not know, libheif 1.15 answers with an error, and loses the 52
/// bytes that the answer was to be in.
extension Span where Element == UInt8 {
    /// Whether the color box of any image in the file (ISO/IEC 23008-12, 6.5.5) has such.
    var hasUnknownCodePoints: Bool {
        var hasUnknown = false
        forEachBox("meta", in: 0..<count) { meta in
            guard meta.count > 4, let properties = box(["iprp", "ipco"], in: (meta.lowerBound + 4)..<meta.upperBound)
            else { return }
            forEachBox("colr", in: properties) { content in
                if holds("nclx", at: content.lowerBound), !hasKnownCodePoints(in: content.dropFirst(4)) {
                    hasUnknown = true
                }
            }
        }
        return hasUnknown
    }

    /// Primaries, transfer and matrix that ITU-T H.273 does not reserve, and that are not newer than libheif 1.15.
    private func hasKnownCodePoints(in content: Range<Int>) -> Bool {
        guard content.count >= 6, let primaries = bigEndian16(at: content.lowerBound),
            let transfer = bigEndian16(at: content.lowerBound + 2), let matrix = bigEndian16(at: content.lowerBound + 4)
        else { return false }
        return ([1, 2, 22].contains(primaries) || (4...12).contains(primaries))
            && ([1, 2].contains(transfer) || (4...18).contains(transfer))
            && ([0, 1, 2].contains(matrix) || (4...14).contains(matrix))
    }
}
#endif
