#if HEIF
import CHEIF
import EaselCore

/// One image of a HEIF file: a libheif handle, released by its owner.
struct HEIFImage: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { heif_image_handle_release(handle) }

    /// The size of the upright image.
    var size: PixelSize {
        PixelSize(Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
    }

    /// The longer side of the image before cropping and rotation.
    var longestStoredSide: Int {
        Int(max(heif_image_handle_get_ispe_width(handle), heif_image_handle_get_ispe_height(handle)))
    }

    /// The number of pixels before cropping.
    var storedPixels: Int {
        Int(heif_image_handle_get_ispe_width(handle)) * Int(heif_image_handle_get_ispe_height(handle))
    }

    var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }

    /// The bit depth; 8 if the file has none.
    var bitDepth: Int {
        let bits = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
        return bits > 0 ? bits : 8
    }

    /// Returns the color space, and the name of the profile if there is one.
    ///
    /// - Parameter readsCodePoints: `false` if libheif does not support the code points. They are treated as sRGB.
    func profile(readsCodePoints: Bool) -> (colors: ColorDescription, name: String?) {
        let type = heif_image_handle_get_color_profile_type(handle)
        if type == heif_color_profile_type_rICC || type == heif_color_profile_type_prof {
            let count = heif_image_handle_get_raw_color_profile_size(handle)
            var failed = false
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { memory, initialized in
                failed = heif_image_handle_get_raw_color_profile(handle, memory.baseAddress).code != heif_error_Ok
                initialized = failed ? 0 : count
            }
            let profile = ICCProfile(bytes, for: .rgb).map(ColorDescription.profile)
            return bytes.isEmpty ? (.sRGB, nil) : (profile ?? .sRGB, ICCProfileName.read(from: bytes.span))
        }
        var points: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard readsCodePoints,
            heif_image_handle_get_nclx_color_profile(handle, &points).code == heif_error_Ok, let points
        else { return (.sRGB, nil) }
        defer { heif_nclx_color_profile_free(points) }
        let codePoints = CodePoints(
            primaries: Int(points.pointee.color_primaries.rawValue),
            transfer: Int(points.pointee.transfer_characteristics.rawValue))
        return (.codePoints(codePoints), nil)
    }

    /// Returns the gain map of the image.
    func gainMap() -> HEIFGainMap? { HEIFGainMap(of: handle) }

    /// Returns the smallest embedded thumbnail that covers `target` and has the image's proportions.
    func thumbnail(for target: PixelSize) -> HEIFImage? {
        // The count comes from the file. More than a few thumbnails are implausible.
        let count = min(heif_image_handle_get_number_of_thumbnails(handle), 16)
        var identifiers = [heif_item_id](repeating: 0, count: max(0, Int(count)))
        _ = heif_image_handle_get_list_of_thumbnail_IDs(handle, &identifiers, count)
        var best: HEIFImage?
        var bestWidth: Int?
        for identifier in identifiers {
            var found: OpaquePointer?
            guard heif_image_handle_get_thumbnail(handle, identifier, &found).code == heif_error_Ok,
                let found
            else { continue }
            let candidate = HEIFImage(found)
            guard candidate.size.width >= target.width, candidate.size.height >= target.height,
                candidate.hasAlpha == hasAlpha, Self.hasProportions(of: size, candidate.size)
            else { continue }
            if let width = bestWidth, width <= candidate.size.width { continue }
            bestWidth = candidate.size.width
            best = consume candidate
        }
        return best
    }

    /// Returns whether `small` is a scaled `large`, to the nearest pixel.
    static func hasProportions(of large: PixelSize, _ small: PixelSize) -> Bool {
        let difference = abs(small.width * large.height - large.width * small.height)
        return small.width <= large.width && small.height <= large.height
            && 2 * difference <= max(large.width, large.height)
    }

    /// Returns the image, decompressed, transformed and converted to 8 bits by libheif.
    ///
    /// - Throws: `ImageError.badData`, `.unsupported`.
    func pixels() throws(ImageError) -> PixelBuffer {
        let size = size
        let decoded = try HEIFRows(handle, size, heif_chroma_interleaved_RGBA, bytesPerPixel: 4)
        let alpha: RGBARows.Alpha = !hasAlpha ? .unused : isPremultiplied ? .premultiplied : .straight
        return try .draw(size, isOpaque: alpha == .unused) { canvas in
            for y in 0..<size.height {
                let row = decoded.row(y).assumingMemoryBound(to: UInt32.self)
                RGBARows.convert(row, to: canvas.row(y), count: size.width, alpha)
            }
        }
    }

    /// Returns the image at full bit depth, in 16-bit words.
    ///
    /// - Throws: `ImageError.badData`, `.unsupported`, `.tooLarge`.
    func deepPixels() throws(ImageError) -> DeepRaster {
        let raster = try DeepRaster(size)
        let decoded = try HEIFRows(handle, size, heif_chroma_interleaved_RRGGBBAA_LE, bytesPerPixel: 8)
        for y in 0..<size.height {
            UnsafeMutableRawBufferPointer(raster.row(y)).copyMemory(
                from: UnsafeRawBufferPointer(start: decoded.row(y), count: size.width * 8))
        }
        raster.finish(bits: decoded.bitDepth, isPremultiplied: hasAlpha && isPremultiplied)
        return raster
    }

    private var isPremultiplied: Bool { heif_image_handle_is_premultiplied_alpha(handle) != 0 }
}

/// An image decompressed by libheif.
private struct HEIFRows: ~Copyable {
    private let image: OpaquePointer
    private let start: UnsafeRawPointer
    private let stride: Int
    let bitDepth: Int

    init(_ handle: OpaquePointer, _ size: PixelSize, _ chroma: heif_chroma, bytesPerPixel: Int) throws(ImageError) {
        guard let options = heif_decoding_options_alloc() else { throw .outOfMemory }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = bytesPerPixel == 4 ? 1 : 0
        easel_heif_keep_code_points(options)
        var decoded: OpaquePointer?
        try HEIFError.check(heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options))
        guard let decoded else { throw .badData("The HEIF file has no image.") }
        var stride: Int32 = 0
        let bits = Int(heif_image_get_bits_per_pixel_range(decoded, heif_channel_interleaved))
        // The size of the compressed image can differ from that in the container.
        guard let rows = heif_image_get_plane_readonly(decoded, heif_channel_interleaved, &stride),
            Int(heif_image_get_width(decoded, heif_channel_interleaved)) == size.width,
            Int(heif_image_get_height(decoded, heif_channel_interleaved)) == size.height,
            Int(stride) >= size.width * bytesPerPixel, (1...16).contains(bits)
        else {
            heif_image_release(decoded)
            throw .badData("The image size differs from the HEIF header.")
        }
        image = decoded
        start = UnsafeRawPointer(rows)
        self.stride = Int(stride)
        bitDepth = bits
    }

    deinit { heif_image_release(image) }

    /// Returns the pixels of a row. The pointer must not outlive this value.
    func row(_ y: Int) -> UnsafeRawPointer { start.advanced(by: y * stride) }
}
#endif
