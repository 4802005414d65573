#if HEIF
import CHEIF
public import EaselCore
public import EaselFoundation

/// A coder that reads HEIC and HEIF through libheif: the primary image, of 8 bits or more, with alpha.
///
/// Applies the rotation, mirroring and cropping of the container. Ignores the EXIF orientation, which repeats them. A
/// smaller size is decoded from an embedded thumbnail if that is large enough.
public struct HEICCoder: ImageDecoding {
    /// Creates a coder.
    public init() {}

    /// The `heic` format.
    public var format: ImageFormat { .heic }

    /// Reads the boxes. Decompresses no pixels.
    ///
    /// - Throws: `ImageError.badData` if the data is not a HEIF or is truncated, `.unsupported` for an image sequence
    ///   without a still image, which libheif does not support.
    public func header(of data: Data) throws(ImageError) -> ImageHeader {
        try HEIFFile.header(of: data)
    }

    /// Decodes the primary image.
    ///
    /// HEVC decodes only complete images, so a truncated file throws even with `allowsPartial`. After cancellation, the
    /// decoding of a large image finishes on a separate thread, since it cannot be interrupted.
    ///
    /// - Throws: `ImageError.tooLarge` before allocation, `.badData`, `.unsupported`, `.cancelled`.
    public func decode(_ data: Data, _ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        try HEIFFile.decode(data, options)
    }
}

/// The primary image of a HEIF file opened with libheif. The boxes are read; nothing is decompressed.
///
/// All sizes are those of the upright image, after the transformations of the container.
final class HEIFFile: LibraryFile {
    let header: ImageHeader
    /// The color space of the image.
    let colors: ColorDescription

    private let context: OpaquePointer
    private let primary: HEIFImage

    /// - Parameters:
    ///   - bytes: the file. It must outlive this object.
    ///   - limits: the limits for libheif.
    /// - Throws: `ImageError.badData` if the data is not a HEIF or is truncated, `.unsupported` for a kind of HEIF that
    ///   libheif does not support, `.tooLarge`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, limits: ImageLimits) throws(ImageError) {
        guard let context = heif_context_alloc() else { throw .outOfMemory }
        // A side is longest for an image of one row.
        Self.limit(context, longestSide: limits.pixels, pixels: limits.pixels)
        heif_context_set_max_decoding_threads(context, 1)
        do throws(ImageError) {
            try HEIFError.check(
                heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil))
            var handle: OpaquePointer?
            try HEIFError.check(heif_context_get_primary_image_handle(context, &handle))
            guard let handle else { throw ImageError.badData("The HEIF file has no image.") }
            primary = HEIFImage(handle)
        } catch {
            heif_context_free(context)
            let span = Span(_unsafeElements: bytes)
            try span.checkAnnouncedSizes(limit: limits.pixels)
            let file = 0..<span.count
            if span.firstBox("moov", in: file) != nil, span.firstBox("meta", in: file) == nil {
                throw .unsupported("HEIF image sequences without a still image are not supported.")
            }
            throw error
        }
        // A grid can claim a larger size than its item. Tiles, which can exceed the image, are small.
        let longestSide = max(primary.longestStoredSide, 4096)
        Self.limit(context, longestSide: longestSide + 1, pixels: primary.storedPixels)
        self.context = context
        let profile = primary.profile(readsCodePoints: !Span(_unsafeElements: bytes).hasUnknownCodePoints)
        colors = profile.colors
        var header = ImageHeader(
            format: .heic, storedSize: primary.size, hasAlpha: primary.hasAlpha, bitDepth: primary.bitDepth,
            profileName: profile.name)
        header.gainMapHeadroom = primary.gainMap()?.parameters.headroom
        self.header = header
    }

    deinit { heif_context_free(context) }

    /// Sets the limits of libheif. Tiles and thumbnails can exceed them, since they are small.
    private static func limit(_ context: OpaquePointer, longestSide: Int, pixels: Int) {
        easel_heif_set_limits(context, Int32(clamping: longestSide), UInt64(max(pixels, 1 << 24)))
    }

    func frame(_ options: DecodeOptions) throws(ImageError) -> DecodedImage {
        let pixels = try pixels(for: options.targetSize.size(for: header.size))
        try options.checkCancellation()
        if options.wantsGainMap, let map = try primary.gainMap()?.decode(header, options) {
            return try DecodedImage(
                stored: pixels, gainMap: map, header: header, options: options, colors: colors,
                deep: header.bitDepth > 8 ? { () throws(ImageError) in try self.primary.deepPixels() } : nil)
        }
        let image = try DecodedImage(stored: pixels, header: header, options: options, colors: colors)
        guard options.wantsDeepPixels(of: header) else { return image }
        return try image.withDeepPixels(primary.deepPixels(), header: header, options: options, colors: colors)
    }

    /// Returns the primary image, or an embedded thumbnail that covers `size` and has the same proportions.
    ///
    /// - Throws: `ImageError.badData`, `.unsupported`.
    private func pixels(for size: PixelSize) throws(ImageError) -> PixelBuffer {
        if size != primary.size, let thumbnail = primary.thumbnail(for: size) { return try thumbnail.pixels() }
        return try primary.pixels()
    }
}

/// A mapping of the errors of libheif.
enum HEIFError {
    static func check(_ error: heif_error) throws(ImageError) {
        guard error.code != heif_error_Ok else { return }
        let reason = error.message.map { String(cString: $0) } ?? "error \(error.code.rawValue)"
        switch error.code {
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw .unsupported("Unsupported HEIF: \(reason).")
        case heif_error_Memory_allocation_error where error.subcode != heif_suberror_Security_limit_exceeded:
            throw .outOfMemory
        default:
            throw .badData("The HEIF image is damaged or truncated: \(reason).")
        }
    }
}

/// A check for code points that libheif does not support. libheif 1.15 returns an error for them and leaks 52 bytes.
extension Span where Element == UInt8 {
    /// Whether the color box of any image in the file (ISO/IEC 23008-12, 6.5.5) contains such code points.
    var hasUnknownCodePoints: Bool {
        var hasUnknown = false
        forEachItemProperty("colr") { content in
            if hasText("nclx", at: content.lowerBound), !hasKnownCodePoints(in: content.dropFirst(4)) {
                hasUnknown = true
            }
        }
        return hasUnknown
    }

    /// Returns whether primaries, transfer and matrix are defined in ITU-T H.273 and supported by libheif 1.15.
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
